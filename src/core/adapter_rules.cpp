#include <sms/phone_number.hpp>

#include "core/text.hpp"
#include "core/validation_rules.hpp"

#include <algorithm>

namespace sms::detail {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What a sender must look like; empty when it does.
struct SenderFault {
  std::string_view operator()(const std::string& number) const {
    return is_e164(number) ? "" : "must be an E.164 number";
  }
  std::string_view operator()(const SenderId& id) const {
    const std::string& text = id.value;
    const bool fits =
        !text.empty() && text.size() <= 11 && std::any_of(text.begin(), text.end(), is_letter) &&
        std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c) || c == ' '; });
    return fits ? "" : "must be 1 to 11 letters, digits or spaces with at least one letter";
  }
  std::string_view operator()(const ShortCode& code) const {
    const std::string& text = code.value;
    const bool fits = text.size() >= 3 && text.size() <= 8 && std::all_of(text.begin(), text.end(), is_digit);
    return fits ? "" : "must be 3 to 8 digits";
  }
  std::string_view operator()(const MessagingService& service) const {
    const bool fits = is_valid_utf8(service.value) && !trim_ecma(service.value).empty();
    return fits ? "" : "must not be blank";
  }
};

struct SenderSupport {
  const Capabilities& can;
  bool operator()(const std::string&) const { return can.number_sender; }
  bool operator()(const SenderId&) const { return can.alphanumeric_sender; }
  bool operator()(const ShortCode&) const { return can.short_code_sender; }
  bool operator()(const MessagingService&) const { return can.messaging_service_sender; }
};

class AdapterRules {
 public:
  AdapterRules(const Adapter& adapter, const AdapterMessage& message)
      : adapter_(adapter), can_(adapter.info().capabilities), message_(message) {}

  std::vector<ValidationIssue> check() {
    if (!message_.from) {
      report(IssueCode::missing_sender, "from", "from is missing and the adapter has no default sender");
      return std::move(issues_);
    }
    check_sender(*message_.from);
    check_capabilities();
    if (issues_.empty()) check_limits();
    if (issues_.empty()) issues_ = adapter_.validate(message_);
    return std::move(issues_);
  }

 private:
  void check_sender(const From& from) {
    const std::string_view fault = std::visit(SenderFault{}, from);
    if (!fault.empty()) {
      report(IssueCode::invalid_sender, "from", "from " + std::string(fault));
    } else if (!std::visit(SenderSupport{can_}, from)) {
      report(IssueCode::unsupported_field, "from", "from is of a kind that the adapter cannot send with");
    }
  }

  void check_capabilities() {
    if (!message_.media_urls.empty() && !can_.mms) unsupported("mediaUrls");
    if (message_.send_at && !can_.scheduling) unsupported("sendAt");
    if (message_.validity_period) check_validity(*message_.validity_period);
    if (message_.webhook_url && !can_.webhook_url_override) unsupported("webhookUrl");
  }

  void check_validity(std::chrono::seconds period) {
    if (!can_.validity_period) return unsupported("validityPeriodSec");
    const auto [least, most] = *can_.validity_period;
    if (period >= least && period <= most) return;
    report(IssueCode::invalid_field, "validityPeriodSec",
           "validityPeriodSec must be " + std::to_string(least.count()) + " to " + std::to_string(most.count()));
  }

  void check_limits() {
    if (can_.max_media != 0 && message_.media_urls.size() > can_.max_media) {
      report(IssueCode::invalid_field, "mediaUrls", "mediaUrls must hold at most " + std::to_string(can_.max_media));
    }
    if (can_.body_required && message_.body.empty()) report(IssueCode::empty_body, "body", "body must not be empty");
    if (can_.max_body != 0 && message_.body.size() > can_.max_body && utf16_length(message_.body) > can_.max_body) {
      report(IssueCode::invalid_field, "body",
             "body must have at most " + std::to_string(can_.max_body) + " characters");
    }
  }

  void unsupported(const char* field) {
    report(IssueCode::unsupported_field, field, std::string(field) + " is not supported by this adapter");
  }

  void report(IssueCode code, const char* field, std::string message) {
    issues_.push_back({code, field, std::move(message) + ".", adapter_.info().name});
  }

  const Adapter& adapter_;
  const Capabilities& can_;
  const AdapterMessage& message_;
  std::vector<ValidationIssue> issues_;
};

}  // namespace

AdapterMessage message_for(const AdapterInfo& info, const SendInput& input, WireOptions options, std::string id) {
  AdapterMessage message;
  message.id = std::move(id);
  message.to = input.to;
  message.from = input.from ? input.from : info.default_sender;
  message.body = input.body;
  message.media_urls = input.media_urls;
  message.send_at = input.send_at;
  message.validity_period = input.validity_period;
  message.webhook_url = input.webhook_url;
  message.options = std::move(options);
  return message;
}

std::vector<ValidationIssue> adapter_issues(const Adapter& adapter, const AdapterMessage& message) {
  return AdapterRules(adapter, message).check();
}

}  // namespace sms::detail
