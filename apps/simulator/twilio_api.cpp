#include "simulator/provider_api.hpp"
#include "simulator/times.hpp"
#include "simulator/twilio_list.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <map>

// Twilio Programmable Messaging, https://www.twilio.com/docs/messaging/api/message-resource and /docs/api/errors.

namespace sms::simulator {
namespace {

namespace json = boost::json;

struct Documented {
  int status;
  const char* text;
};
const std::map<std::string, Documented, std::less<>> errors = {
    {"20003", {401, "Authenticate"}},
    {"20404", {404, "The requested resource was not found"}},
    {"20429", {429, "Too Many Requests"}},
    {"20500", {500, "Internal Server Error"}},
    {"21211", {400, "The 'To' number is not a valid phone number."}},
    {"21212", {400, "The 'From' number is not a valid phone number, shortcode, or alphanumeric sender ID."}},
    {"21408", {400, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number."}},
    {"21602", {400, "Message body is required."}},
    {"21603", {400, "A 'From' phone number is required."}},
    {"21604", {400, "A 'To' phone number is required."}},
    {"21606", {400, "The 'From' phone number provided is not a valid message-capable Twilio phone number."}},
    {"21608", {400, "The number is unverified. Trial accounts cannot send messages to unverified numbers."}},
    {"21609", {400, "The 'StatusCallback' URL is not a valid URL."}},
    {"21610", {400, "Attempt to send to unsubscribed recipient"}},
    {"21611", {400, "This 'From' number has exceeded the maximum number of queued messages"}},
    {"21612", {400, "The 'To' phone number is not currently reachable via SMS"}},
    {"21614", {400, "'To' number is not a valid mobile number"}},
    {"21617", {400, "The concatenated message body exceeds the 1600 character limit"}},
    {"21623", {400, "Number of media files exceeds allowed limit"}},
    {"21701", {400, "The Messaging Service does not exist"}},
    {"35111", {400, "SendAt timestamp is missing"}},
    {"35115", {400, "Scheduling does not support this timestamp"}},
    {"35118", {400, "MessagingServiceSid is required to schedule a message"}}};

// https://www.twilio.com/docs/iam/test-credentials
const std::map<std::string, const char*, std::less<>> magic_recipients = {{"+15005550001", "21211"},
                                                                          {"+15005550002", "21612"},
                                                                          {"+15005550003", "21408"},
                                                                          {"+15005550004", "21610"},
                                                                          {"+15005550009", "21614"}};
const std::map<std::string, const char*, std::less<>> magic_senders = {
    {"+15005550001", "21212"}, {"+15005550007", "21606"}, {"+15005550008", "21611"}};

constexpr std::string_view base = "/2010-04-01/Accounts/";

std::string account_of(const Request& request) {
  const auto rest = std::string_view(request.path).substr(base.size());
  return std::string(rest.substr(0, rest.find('/')));
}

std::size_t utf16_units(std::string_view utf8) {
  std::size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

const char* wrong_sender(const Order& order) {
  if (order.from.empty()) return "21603";
  if (order.from.starts_with("MG")) return is_sid(order.from, "MG") ? nullptr : "21701";
  if (const auto magic = magic_senders.find(order.from); magic != magic_senders.end()) return magic->second;
  return is_number(order.from) || is_short_code(order.from) || is_alphanumeric_sender(order.from) ? nullptr : "21212";
}

const char* wrong_schedule(const Request& request, const Order& order) {
  if (!order.scheduled) return nullptr;
  if (!order.from.starts_with("MG")) return "35118";
  const auto text = Form(request.body).text("SendAt");
  if (text.empty()) return "35111";
  const auto at = parse_iso8601(text);
  const auto from_now = at.value_or(0) - now_ms();
  return from_now > 300'000 && from_now <= 35LL * 86'400'000 ? nullptr : "35115";
}

const char* fault_of(const Request& request, const Order& order) {
  if (order.to.empty()) return "21604";
  if (const auto magic = magic_recipients.find(order.to); magic != magic_recipients.end()) return magic->second;
  if (!is_number(order.to)) return "21211";
  if (const char* code = wrong_sender(order)) return code;
  if (order.body.empty() && order.media.empty()) return "21602";
  if (utf16_units(order.body) > 1600) return "21617";
  if (order.media.size() > 10) return "21623";
  if (!order.callback.empty() && !is_http_url(order.callback)) return "21609";
  return wrong_schedule(request, order);
}

class Twilio final : public ProviderApi {
 public:
  std::string name() const override { return "twilio"; }

  bool is_send(const Request& request) const override {
    return request.method == "POST" && request.path.starts_with(base) &&
           request.path == std::string(base) + account_of(request) + "/Messages.json";
  }

  Order glance(const Request& request) const override {
    Order order;
    order.provider = name();
    order.account = account_of(request);
    if (!request.header("content-type").starts_with("application/x-www-form-urlencoded")) return order;
    const Form form(request.body);
    order.to = form.text("To");
    const auto service = form.text("MessagingServiceSid");
    order.from = service.empty() ? form.text("From") : service;
    order.body = form.text("Body");
    order.callback = form.text("StatusCallback");
    order.scheduled = form.text("ScheduleType") == "fixed";
    order.media = form.all("MediaUrl");
    return order;
  }

  std::optional<Answer> refuse(const Request& request, const Order& order) const override {
    if (!authorised(request)) return rejection("20003");
    if (const char* code = fault_of(request, order)) return rejection(code);
    return std::nullopt;
  }

  std::string new_id(const Order& order, const std::string& hex) const override {
    return (order.media.empty() ? "SM" : "MM") + hex;
  }

  Answer created(const Message& message) const override { return {201, json::serialize(twilio_message(message))}; }

  Answer rejection(const std::optional<std::string>& given) const override {
    const auto code = given.value_or("21610");
    const auto at = errors.find(code);
    return at == errors.end() ? error(code, 400, "Refused") : error(code, at->second.status, at->second.text);
  }

  Answer failure(int status) const override { return error("20500", status, "Internal Server Error"); }

  Answer rate_limited(int retry_after) const override {
    auto answer = rejection("20429");
    answer.headers["Retry-After"] = std::to_string(retry_after);
    return answer;
  }

  std::optional<Answer> look_up(const Request& request, const Ledger& ledger) const override {
    if (!request.path.starts_with(base)) return std::nullopt;
    if (!authorised(request)) return rejection("20003");
    const auto account = account_of(request);
    const auto prefix = std::string(base) + account + "/Messages";
    if (request.method != "GET") return rejection("20404");
    if (request.path == prefix + ".json") {
      return Answer{200, json::serialize(twilio_list(request.path, request.query, account, ledger))};
    }
    if (request.path.starts_with(prefix + "/") && request.path.ends_with(".json")) {
      const auto id = request.path.substr(prefix.size() + 1, request.path.size() - prefix.size() - 6);
      const auto message = ledger.find(name(), id);
      if (message && message->order.account == account) return Answer{200, json::serialize(twilio_message(*message))};
    }
    return rejection("20404");
  }

  void stamp(Answer& answer, const std::string& hex) const override {
    answer.headers["Twilio-Request-Id"] = "RQ" + hex;
  }

 private:
  static Answer error(const std::string& code, int status, const char* text) {
    const json::object body{{"code", std::stoi(code)},
                            {"message", text},
                            {"more_info", "https://www.twilio.com/docs/errors/" + code},
                            {"status", status}};
    Answer answer{status, json::serialize(body)};
    if (status == 401) answer.headers["WWW-Authenticate"] = "Basic realm=\"Twilio API\"";
    return answer;
  }

  static bool authorised(const Request& request) {
    const auto credentials = basic_credentials(request.header("authorization"));
    const auto account = account_of(request);
    if (!credentials || !is_sid(account, "AC")) return false;
    const auto& [user, password] = *credentials;
    return (user == account || is_sid(user, "SK")) && !password.empty() && password != "invalid";
  }
};

}  // namespace

std::unique_ptr<ProviderApi> twilio_api() { return std::make_unique<Twilio>(); }

}  // namespace sms::simulator
