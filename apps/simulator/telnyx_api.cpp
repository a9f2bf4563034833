#include "simulator/provider_api.hpp"
#include "simulator/times.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <map>

// Telnyx Messaging, https://developers.telnyx.com/api/messaging/send-message and /docs/messaging/messages/error-codes.

namespace sms::simulator {
namespace {

namespace json = boost::json;

struct Documented {
  int status;
  const char* title;
};
const std::map<std::string, Documented, std::less<>> errors = {{"10003", {400, "Invalid URL"}},
                                                               {"10004", {400, "Missing required parameter"}},
                                                               {"10005", {404, "Resource not found"}},
                                                               {"10007", {500, "Unexpected error"}},
                                                               {"10009", {401, "Authentication failed"}},
                                                               {"10010", {403, "Authorization failed"}},
                                                               {"10011", {429, "Too many requests"}},
                                                               {"10014", {415, "Unsupported Media Type"}},
                                                               {"10015", {400, "Bad Request"}},
                                                               {"20100", {403, "Insufficient funds"}},
                                                               {"40300", {400, "Blocked due to STOP message"}},
                                                               {"40305", {400, "Invalid 'from' address"}},
                                                               {"40306", {400, "Alpha sender not configured"}},
                                                               {"40310", {400, "Invalid 'to' address"}},
                                                               {"40316", {400, "No content provided"}},
                                                               {"40318", {429, "Message queue full"}},
                                                               {"40319", {400, "Incompatible message type"}}};

constexpr std::string_view messages_path = "/v2/messages";

json::object message_json(const Message& message) {
  const auto& order = message.order;
  const auto sent = sent_at(message);
  json::array media;
  for (const auto& url : order.media) {
    media.push_back(json::object{{"url", url}, {"content_type", nullptr}, {"sha256", nullptr}, {"size", nullptr}});
  }
  return {{"record_type", "message"},
          {"direction", "outbound"},
          {"id", message.id},
          {"type", order.media.empty() ? "SMS" : "MMS"},
          {"messaging_profile_id", "00000000-0000-4000-8000-000000000000"},
          {"from", json::object{{"phone_number", order.from}, {"carrier", ""}, {"line_type", ""}}},
          {"to", json::array{json::object{{"phone_number", order.to},
                                          {"status", order.scheduled ? "scheduled"
                                                     : sent          ? "sent"
                                                                     : "queued"},
                                          {"carrier", ""},
                                          {"line_type", ""}}}},
          {"text", order.body},
          {"media", std::move(media)},
          {"webhook_url", order.callback},
          {"webhook_failover_url", nullptr},
          {"encoding", "GSM-7"},
          {"parts", 1},
          {"tags", json::array{}},
          {"cost", nullptr},
          {"received_at", iso8601(message.at_ms)},
          {"sent_at", sent ? json::value(iso8601(*sent)) : nullptr},
          {"completed_at", nullptr},
          {"valid_until", iso8601(message.at_ms + 3'600'000)},
          {"errors", json::array{}}};
}

std::optional<json::object> object_of(const Request& request) {
  json::error_code error;
  auto value = json::parse(request.body, error);
  return error || !value.is_object() ? std::nullopt : std::optional(value.get_object());
}

std::string text_of(const json::object& object, std::string_view key) {
  const auto* found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

class Telnyx final : public ProviderApi {
 public:
  std::string name() const override { return "telnyx"; }

  bool is_send(const Request& request) const override {
    return request.method == "POST" && request.path == messages_path;
  }

  Order glance(const Request& request) const override {
    Order order;
    order.provider = name();
    const auto object = object_of(request);
    if (!object) return order;
    order.to = text_of(*object, "to");
    order.from = text_of(*object, "from");
    if (order.from.empty()) order.from = text_of(*object, "messaging_profile_id");
    order.body = text_of(*object, "text");
    order.callback = text_of(*object, "webhook_url");
    order.scheduled = object->contains("send_at");
    if (const auto* media = object->if_contains("media_urls"); media != nullptr && media->is_array()) {
      for (const auto& url : media->get_array()) {
        if (url.is_string()) order.media.emplace_back(url.get_string());
      }
    }
    return order;
  }

  std::optional<Answer> refuse(const Request& request, const Order& order) const override {
    if (!authorised(request)) return rejection("10009");
    if (!request.header("content-type").starts_with("application/json")) return rejection("10014");
    const auto object = object_of(request);
    if (!object) return rejection("10015");
    if (!object->contains("to")) return error("10004", "/to");
    if (!is_number(order.to)) return error("40310", "/to");
    const auto from = text_of(*object, "from");
    const auto profile = text_of(*object, "messaging_profile_id");
    if (from.empty() && profile.empty()) return error("10004", "/from");
    if (!from.empty() && !is_number(from) && !is_short_code(from)) {
      if (!is_alphanumeric_sender(from)) return error("40305", "/from");
      if (profile.empty()) return error("40306", "/from");
    }
    if (order.body.empty() && order.media.empty()) return error("40316", "/text");
    if (!order.callback.empty() && !is_http_url(order.callback)) return error("10003", "/webhook_url");
    if (order.scheduled && !parse_iso8601(text_of(*object, "send_at"))) return error("10015", "/send_at");
    return std::nullopt;
  }

  std::string new_id(const Order&, const std::string& hex) const override { return uuid_of(hex); }

  Answer created(const Message& message) const override {
    return {200, json::serialize(json::object{{"data", message_json(message)}})};
  }

  Answer rejection(const std::optional<std::string>& code) const override { return error(code.value_or("40300"), ""); }

  Answer failure(int status) const override {
    auto answer = error("10007", "");
    answer.status = status;
    return answer;
  }

  Answer rate_limited(int retry_after) const override {
    auto answer = rejection("10011");
    answer.headers["Retry-After"] = std::to_string(retry_after);
    return answer;
  }

  std::optional<Answer> look_up(const Request& request, const Ledger& ledger) const override {
    if (!request.path.starts_with(messages_path)) return std::nullopt;
    if (!authorised(request)) return rejection("10009");
    if (request.method != "GET" || request.path.size() <= messages_path.size() + 1) return rejection("10005");
    const auto message = ledger.find(name(), request.path.substr(messages_path.size() + 1));
    if (!message) return rejection("10005");
    return created(*message);
  }

  void stamp(Answer& answer, const std::string& hex) const override { answer.headers["x-request-id"] = uuid_of(hex); }

 private:
  static Answer error(const std::string& code, const std::string& pointer) {
    const auto at = errors.find(code);
    const auto& [status, title] = at == errors.end() ? Documented{400, "Refused"} : at->second;
    json::object one{{"code", code},
                     {"title", title},
                     {"detail", title},
                     {"meta", json::object{{"url", "https://developers.telnyx.com/docs/overview/errors/" + code}}}};
    if (!pointer.empty()) one["source"] = json::object{{"pointer", pointer}};
    return {status, json::serialize(json::object{{"errors", json::array{std::move(one)}}})};
  }

  static bool authorised(const Request& request) {
    const auto header = request.header("authorization");
    return header.starts_with("Bearer ") && header.size() > 7 && header != "Bearer invalid";
  }
};

}  // namespace

std::unique_ptr<ProviderApi> telnyx_api() { return std::make_unique<Telnyx>(); }

}  // namespace sms::simulator
