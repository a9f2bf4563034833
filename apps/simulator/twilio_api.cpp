#include "simulator/provider_api.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <ctime>
#include <map>

// Twilio Programmable Messaging, https://www.twilio.com/docs/messaging/api/message-resource and /docs/api/errors.

namespace sms::simulator {
namespace {

namespace json = boost::json;

struct Documented {
  int status;
  const char* text;
};
const std::map<std::string, Documented> errors = {
    {"20003", {401, "Authenticate"}},
    {"20404", {404, "The requested resource was not found"}},
    {"20429", {429, "Too Many Requests"}},
    {"21211", {400, "The 'To' number is not a valid phone number."}},
    {"21212", {400, "The 'From' number is not a valid phone number, shortcode, or alphanumeric sender ID."}},
    {"21408", {400, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number."}},
    {"21602", {400, "Message body is required."}},
    {"21603", {400, "A 'From' phone number is required."}},
    {"21604", {400, "A 'To' phone number is required."}},
    {"21606", {400, "The 'From' phone number provided is not a valid message-capable Twilio phone number."}},
    {"21608", {400, "The number is unverified. Trial accounts cannot send messages to unverified numbers."}},
    {"21610", {400, "Attempt to send to unsubscribed recipient"}},
    {"21614", {400, "'To' number is not a valid mobile number"}},
    {"21617", {400, "The concatenated message body exceeds the 1600 character limit"}}};

constexpr std::string_view base = "/2010-04-01/Accounts/";

std::string rfc2822(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S +0000", &parts);
  return text;
}

std::string account_of(const Request& request) {
  const auto rest = std::string_view(request.path).substr(base.size());
  return std::string(rest.substr(0, rest.find('/')));
}

json::object message_json(const Message& message, const std::string& account) {
  const auto& order = message.order;
  const bool by_service = order.from.starts_with("MG");
  const auto uri = std::string(base) + account + "/Messages/" + message.id + ".json";
  json::object body{{"account_sid", account},
                    {"api_version", "2010-04-01"},
                    {"body", order.body},
                    {"date_created", rfc2822(message.at_ms)},
                    {"date_sent", nullptr},
                    {"date_updated", rfc2822(message.at_ms)},
                    {"direction", "outbound-api"},
                    {"error_code", nullptr},
                    {"error_message", nullptr},
                    {"messaging_service_sid", nullptr},
                    {"from", nullptr},
                    {"num_media", std::to_string(order.media)},
                    {"num_segments", by_service ? "0" : "1"},
                    {"price", nullptr},
                    {"price_unit", "USD"},
                    {"sid", message.id},
                    {"status", order.scheduled ? "scheduled"
                               : by_service    ? "accepted"
                                               : "queued"},
                    {"subresource_uris",
                     json::object{{"media", std::string(base) + account + "/Messages/" + message.id + "/Media.json"}}},
                    {"to", order.to},
                    {"uri", uri}};
  body[by_service ? "messaging_service_sid" : "from"] = order.from;
  return body;
}

class Twilio final : public ProviderApi {
 public:
  std::string name() const override { return "twilio"; }

  bool is_send(const Request& request) const override {
    return request.method == "POST" && request.path.starts_with(base) && request.path.ends_with("/Messages.json");
  }

  Order glance(const Request& request) const override {
    const auto form = parse_form(request.body);
    const auto field = [&form](const char* name) {
      const auto at = form.find(name);
      return at == form.end() ? std::string() : at->second;
    };
    Order order{
        "twilio", field("To"), field("From"), field("Body"), field("StatusCallback"), !field("ScheduleType").empty(),
        0};
    if (order.from.empty()) order.from = field("MessagingServiceSid");
    order.media = form.contains("MediaUrl") ? 1 : 0;
    return order;
  }

  std::variant<Order, Answer> read(const Request& request) const override {
    if (!authorised(request)) return refusal("20003");
    auto order = glance(request);
    if (order.to.empty()) return refusal("21604");
    if (!is_number(order.to) || order.to == "+15005550001") return refusal("21211");
    if (order.from.empty()) return refusal("21603");
    if (order.from == "+15005550001") return refusal("21212");
    if (order.from == "+15005550007") return refusal("21606");
    if (order.body.empty() && order.media == 0) return refusal("21602");
    return order;
  }

  std::string new_id(const Order& order, const std::string& hex) const override {
    return (order.media > 0 ? "MM" : "SM") + hex;
  }

  Answer created(const Message& message, const Request& request) const override {
    return with_request_id({201, json::serialize(message_json(message, account_of(request)))});
  }

  Answer refusal(const std::string& code) const override {
    const auto at = errors.find(code);
    const int status = at == errors.end() ? 400 : at->second.status;
    const json::object body{{"code", std::stoi(code)},
                            {"message", at == errors.end() ? "Refused" : at->second.text},
                            {"more_info", "https://www.twilio.com/docs/errors/" + code},
                            {"status", status}};
    return with_request_id({status, json::serialize(body)});
  }

  Answer rate_limited(int retry_after) const override {
    auto answer = refusal("20429");
    answer.headers["Retry-After"] = std::to_string(retry_after);
    return answer;
  }

  std::optional<Answer> look_up(const Request& request, const Ledger& ledger) const override {
    if (!request.path.starts_with(base)) return std::nullopt;
    if (!authorised(request)) return refusal("20003");
    const auto account = account_of(request);
    const auto prefix = std::string(base) + account + "/Messages";
    if (request.method == "GET" && request.path == prefix + ".json") {
      const auto query = parse_form(request.query);
      json::array list;
      Ledger::Filter filter;
      filter.provider = name();
      if (const auto to = query.find("To"); to != query.end()) filter.to = to->second;
      for (const auto& message : ledger.messages(filter)) {
        const auto from = query.find("From");
        if (from == query.end() || from->second == message.order.from) list.push_back(message_json(message, account));
      }
      return Answer{200, json::serialize(json::object{
                             {"messages", list}, {"page", 0}, {"page_size", 50}, {"next_page_uri", nullptr}})};
    }
    if (request.method == "GET" && request.path.starts_with(prefix + "/") && request.path.ends_with(".json")) {
      const auto id = request.path.substr(prefix.size() + 1, request.path.size() - prefix.size() - 6);
      if (const auto message = ledger.find(id)) return Answer{200, json::serialize(message_json(*message, account))};
    }
    return refusal("20404");
  }

 private:
  static bool authorised(const Request& request) {
    const auto credentials = basic_credentials(request.header("authorization"));
    if (!credentials || credentials->second.empty() || credentials->second == "invalid") return false;
    return credentials->first == account_of(request) || credentials->first.starts_with("SK");
  }
  static Answer with_request_id(Answer answer) {
    answer.headers["Twilio-Request-Id"] = "RQ00000000000000000000000000000001";
    return answer;
  }
};

}  // namespace

std::unique_ptr<ProviderApi> twilio_api() { return std::make_unique<Twilio>(); }

}  // namespace sms::simulator
