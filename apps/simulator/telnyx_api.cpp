#include "simulator/provider_api.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <ctime>
#include <map>

// Telnyx Messaging, https://developers.telnyx.com/api/messaging/send-message and /docs/messaging/messages/error-codes.

namespace sms::simulator {
namespace {

namespace json = boost::json;

struct Documented {
  int status;
  const char* title;
};
const std::map<std::string, Documented> errors = {
    {"10005", {404, "Resource not found"}},     {"10009", {401, "Authentication failed"}},
    {"10011", {429, "Too many requests"}},      {"10015", {400, "Bad Request"}},
    {"20100", {403, "Insufficient funds"}},     {"40300", {400, "Blocked due to STOP message"}},
    {"40305", {400, "Invalid 'from' address"}}, {"40310", {400, "Invalid 'to' address"}},
    {"40318", {429, "Message queue full"}},     {"40319", {400, "Incompatible message type"}}};

std::string iso8601(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000+00:00", &parts);
  return text;
}

json::object message_json(const Message& message) {
  const auto& order = message.order;
  return {{"record_type", "message"},
          {"direction", "outbound"},
          {"id", message.id},
          {"type", order.media > 0 ? "MMS" : "SMS"},
          {"messaging_profile_id", "00000000-0000-4000-8000-000000000000"},
          {"from", json::object{{"phone_number", order.from}, {"carrier", ""}, {"line_type", ""}}},
          {"to", json::array{json::object{{"phone_number", order.to},
                                          {"status", order.scheduled ? "scheduled" : "queued"},
                                          {"carrier", ""},
                                          {"line_type", ""}}}},
          {"text", order.body},
          {"media", json::array{}},
          {"webhook_url", order.callback},
          {"encoding", "GSM-7"},
          {"parts", 1},
          {"tags", json::array{}},
          {"cost", nullptr},
          {"received_at", iso8601(message.at_ms)},
          {"sent_at", nullptr},
          {"completed_at", nullptr},
          {"errors", json::array{}}};
}

class Telnyx final : public ProviderApi {
 public:
  std::string name() const override { return "telnyx"; }

  bool is_send(const Request& request) const override {
    return request.method == "POST" && request.path == "/v2/messages";
  }

  Order glance(const Request& request) const override {
    Order order;
    order.provider = name();
    json::error_code error;
    const auto value = json::parse(request.body, error);
    if (error || !value.is_object()) return order;
    const auto& object = value.get_object();
    const auto field = [&object](const char* key) {
      const auto* found = object.if_contains(key);
      return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
    };
    order.to = field("to");
    order.from = field("from");
    if (order.from.empty()) order.from = field("messaging_profile_id");
    order.body = field("text");
    order.callback = field("webhook_url");
    order.scheduled = object.contains("send_at");
    const auto* media = object.if_contains("media_urls");
    order.media = media != nullptr && media->is_array() ? media->get_array().size() : 0;
    return order;
  }

  std::variant<Order, Answer> read(const Request& request) const override {
    if (!authorised(request)) return refusal("10009");
    json::error_code error;
    const auto value = json::parse(request.body, error);
    if (error || !value.is_object()) return refusal("10015");
    auto order = glance(request);
    if (!is_number(order.to) || order.to == "+15005550001") return refusal("40310");
    if (order.from.empty() || order.from == "+15005550001") return refusal("40305");
    if (order.body.empty() && order.media == 0) return refusal("10015");
    return order;
  }

  std::string new_id(const Order&, const std::string& hex) const override {
    return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-4" + hex.substr(13, 3) + "-8" + hex.substr(17, 3) + "-" +
           hex.substr(20, 12);
  }

  Answer created(const Message& message, const Request&) const override {
    return with_request_id({200, json::serialize(json::object{{"data", message_json(message)}})});
  }

  Answer refusal(const std::string& code) const override {
    const auto at = errors.find(code);
    const int status = at == errors.end() ? 400 : at->second.status;
    const char* title = at == errors.end() ? "Refused" : at->second.title;
    const json::object one{
        {"code", code},
        {"title", title},
        {"detail", title},
        {"meta", json::object{{"url", "https://developers.telnyx.com/docs/overview/errors/" + code}}}};
    return with_request_id({status, json::serialize(json::object{{"errors", json::array{one}}})});
  }

  Answer rate_limited(int retry_after) const override {
    auto answer = refusal("10011");
    answer.headers["Retry-After"] = std::to_string(retry_after);
    return answer;
  }

  std::optional<Answer> look_up(const Request& request, const Ledger& ledger) const override {
    constexpr std::string_view prefix = "/v2/messages/";
    if (!request.path.starts_with(prefix) || request.method != "GET") return std::nullopt;
    if (!authorised(request)) return refusal("10009");
    const auto message = ledger.find(request.path.substr(prefix.size()));
    if (!message) return refusal("10005");
    return Answer{200, json::serialize(json::object{{"data", message_json(*message)}})};
  }

 private:
  static bool authorised(const Request& request) {
    const auto header = request.header("authorization");
    return header.starts_with("Bearer ") && header.size() > 7 && header != "Bearer invalid";
  }
  static Answer with_request_id(Answer answer) {
    answer.headers["x-request-id"] = "00000000-0000-4000-8000-0000000000aa";
    return answer;
  }
};

}  // namespace

std::unique_ptr<ProviderApi> telnyx_api() { return std::make_unique<Telnyx>(); }

}  // namespace sms::simulator
