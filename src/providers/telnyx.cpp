#include <sms/adapter_kit.hpp>
#include <sms/providers/telnyx.hpp>

#include "providers/answer_json.hpp"
#include "providers/construction.hpp"
#include "providers/refusal.hpp"
#include "providers/telnyx_info.hpp"
#include "providers/wire_value.hpp"

#include <utility>

namespace sms {
namespace {

using namespace detail;

std::string authorization_of(const TelnyxOptions& options) {
  check_credential("api_key", options.api_key.reveal());
  return "Bearer " + options.api_key.reveal();
}

ErrorBody read_error(const std::string& body) {
  ErrorBody error;
  const auto answer = parse_answer(body);
  const auto* const first = answer ? first_object(*answer, "errors") : nullptr;
  if (first == nullptr) return error;
  read_digits_code(*first, error);
  error.message = string_member(*first, "detail").value_or("");
  if (error.message.empty()) error.message = string_member(*first, "title").value_or("");
  return error;
}

class Telnyx final : public HttpAdapter {
 public:
  explicit Telnyx(TelnyxOptions options)
      : url_(checked_base_url(options.base_url, options.allow_insecure) + "/v2/messages"),
        authorization_(authorization_of(options)),
        profile_(std::move(options.messaging_profile_id)),
        reuse_(options.connection_reuse),
        info_(telnyx_info(std::move(options.name), std::move(options.from))) {
    check_default_sender(*this);
  }

  const AdapterInfo& info() const override { return info_; }

  std::vector<ValidationIssue> validate(const AdapterMessage& message) const override {
    if (!profile_.empty() || !message.from || !std::holds_alternative<SenderId>(*message.from)) return {};
    return {{IssueCode::invalid_sender, "from",
             "from needs messaging_profile_id on the adapter when it is alphanumeric.", info_.name}};
  }

  HttpRequest build(const AdapterMessage& message, const SendContext&) const override {
    HttpRequest request;
    request.url = url_;
    request.headers = {{"Authorization", authorization_.reveal()},
                       {"Content-Type", "application/json"},
                       {"Accept", "application/json"},
                       {"User-Agent", std::string(user_agent())}};
    JsonWriter json(request.body);
    json.begin_object().key("to").string(message.to);
    write_sender(json, message);
    if (!message.body.empty()) json.key("text").string(message.body);
    if (!message.media_urls.empty()) {
      json.key("media_urls").begin_array();
      for (const auto& url : message.media_urls) json.string(url);
      json.end_array().key("type").string("MMS");
    }
    if (message.webhook_url) json.key("webhook_url").string(*message.webhook_url);
    if (message.send_at) json.key("send_at").string(to_iso8601(*message.send_at));
    for (const auto& [name, value] : message.options) write_wire_value(json.key(name), value);
    json.end_object();
    return request;
  }

  AdapterOutcome classify(const HttpExchange& exchange, const AdapterMessage& message) const override {
    ProviderDetails details = details_of(exchange, message);
    if (exchange.status < 300) return classify_success(exchange, std::move(details));
    const ErrorBody error = read_error(exchange.body);
    return refuse(exchange, message, error, category_of(telnyx_codes(), error), std::move(details));
  }

 protected:
  std::string_view request_id_header() const override { return "x-request-id"; }
  ConnectionReuse connection_reuse() const override { return reuse_; }

 private:
  void write_sender(JsonWriter& json, const AdapterMessage& message) const {
    const bool service = message.from && std::holds_alternative<MessagingService>(*message.from);
    if (message.from && !service) json.key("from").string(sender_text(*message.from));
    if (service) {
      json.key("messaging_profile_id").string(sender_text(*message.from));
    } else if (!profile_.empty()) {
      json.key("messaging_profile_id").string(profile_);
    }
  }

  static AdapterOutcome classify_success(const HttpExchange& exchange, ProviderDetails details) {
    const auto answer = parse_answer(exchange.body);
    const auto* const data = answer ? object_member(*answer, "data") : nullptr;
    const auto id = data != nullptr ? string_member(*data, "id") : std::nullopt;
    if (!id || !is_provider_id(*id)) return Unknown{UnknownReason::malformed_response, std::move(details)};
    const auto* const recipient = first_object(*data, "to");
    const auto status = recipient != nullptr ? string_member(*recipient, "status") : std::nullopt;
    return Accepted{std::string(*id), telnyx_delivery(status.value_or(""))};
  }

  std::string url_;
  Secret authorization_;
  std::string profile_;
  ConnectionReuse reuse_;
  AdapterInfo info_;
};

}  // namespace

std::shared_ptr<HttpAdapter> telnyx(TelnyxOptions options) { return std::make_shared<Telnyx>(std::move(options)); }

}  // namespace sms
