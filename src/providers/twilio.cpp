#include <sms/adapter_kit.hpp>
#include <sms/error.hpp>
#include <sms/providers/twilio.hpp>

#include "providers/answer_json.hpp"
#include "providers/construction.hpp"
#include "providers/form_body.hpp"
#include "providers/refusal.hpp"
#include "providers/twilio_info.hpp"
#include "providers/wire_value.hpp"

#include <utility>

namespace sms {
namespace {

using namespace detail;

std::string authorization_of(const TwilioOptions& options) {
  const bool has_token = !options.auth_token.empty();
  const bool has_key = !options.api_key_sid.empty() || !options.api_key_secret.empty();
  if (has_token == has_key)
    throw ConfigurationError("auth_token: give either it or an API key (api_key_sid, api_key_secret)");
  if (has_token) {
    check_credential("auth_token", options.auth_token.reveal());
    return basic_authorization(options.account_sid, options.auth_token.reveal());
  }
  check_credential("api_key_sid", options.api_key_sid);
  check_credential("api_key_secret", options.api_key_secret.reveal());
  if (options.api_key_sid.find(':') != std::string::npos)
    throw ConfigurationError("api_key_sid: must not hold a colon");
  return basic_authorization(options.api_key_sid, options.api_key_secret.reveal());
}

std::string url_of(const TwilioOptions& options) {
  if (!is_sid("AC", options.account_sid)) throw ConfigurationError("account_sid: must be AC and 32 hex digits");
  return checked_base_url(options.base_url, options.allow_insecure) + "/2010-04-01/Accounts/" + options.account_sid +
         "/Messages.json";
}

ErrorBody read_error(const std::string& body) {
  ErrorBody error;
  if (const auto answer = parse_answer(body)) {
    read_number_code(*answer, error);
    error.message = string_member(*answer, "message").value_or("");
  }
  return error;
}

class Twilio final : public HttpAdapter {
 public:
  explicit Twilio(TwilioOptions options)
      : url_(url_of(options)),
        authorization_(authorization_of(options)),
        reuse_(options.connection_reuse),
        info_(twilio_info(std::move(options.name), std::move(options.from))) {
    check_default_sender(*this);
  }

  const AdapterInfo& info() const override { return info_; }
  std::vector<ValidationIssue> validate(const AdapterMessage& message) const override {
    return twilio_issues(info_.name, message);
  }

  HttpRequest build(const AdapterMessage& message, const SendContext&) const override {
    FormBody form;
    form.add("To", message.to);
    if (message.from) {
      const bool service = std::holds_alternative<MessagingService>(*message.from);
      form.add(service ? "MessagingServiceSid" : "From", sender_text(*message.from));
    }
    if (!message.body.empty()) form.add("Body", message.body);
    for (const auto& url : message.media_urls) form.add("MediaUrl", url);
    if (message.webhook_url) form.add("StatusCallback", *message.webhook_url);
    if (message.validity_period) form.add("ValidityPeriod", std::to_string(message.validity_period->count()));
    if (message.send_at) form.add("SendAt", to_iso8601(*message.send_at)).add("ScheduleType", "fixed");
    for (const auto& [name, value] : message.options) form.add(name, wire_text(value));

    HttpRequest request;
    request.url = url_;
    request.headers = {{"Authorization", authorization_.reveal()},
                       {"Content-Type", "application/x-www-form-urlencoded"},
                       {"Accept", "application/json"},
                       {"User-Agent", std::string(user_agent())}};
    request.body = std::move(form).take();
    return request;
  }

  AdapterOutcome classify(const HttpExchange& exchange, const AdapterMessage& message) const override {
    ProviderDetails details = details_of(exchange, message);
    if (exchange.status < 300) return classify_success(exchange, std::move(details));
    const ErrorBody error = read_error(exchange.body);
    // Whatever its body says, a 401 is about our credentials.
    const auto listed = exchange.status == 401 ? std::nullopt : category_of(twilio_codes(), error);
    return refuse(exchange, message, error, listed, std::move(details));
  }

 protected:
  std::string_view request_id_header() const override { return "Twilio-Request-Id"; }
  ConnectionReuse connection_reuse() const override { return reuse_; }

 private:
  static AdapterOutcome classify_success(const HttpExchange& exchange, ProviderDetails details) {
    const auto answer = parse_answer(exchange.body);
    const auto sid = answer ? string_member(*answer, "sid") : std::nullopt;
    if (!sid || !(is_sid("SM", *sid) || is_sid("MM", *sid))) {
      return Unknown{UnknownReason::malformed_response, std::move(details)};
    }
    return Accepted{std::string(*sid), twilio_delivery(string_member(*answer, "status").value_or(""))};
  }

  std::string url_;
  Secret authorization_;
  ConnectionReuse reuse_;
  AdapterInfo info_;
};

}  // namespace

std::shared_ptr<HttpAdapter> twilio(TwilioOptions options) { return std::make_shared<Twilio>(std::move(options)); }

}  // namespace sms
