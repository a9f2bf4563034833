#include <sms/adapter_kit.hpp>
#include <sms/phone_number.hpp>

#include "core/iso_time.hpp"
#include "core/text.hpp"
#include "core/validation_rules.hpp"

namespace sms::detail {
namespace {

class MessageRules {
 public:
  MessageRules(const SendInput& input, WallTime now) : input_(input), now_(now) {}

  std::vector<ValidationIssue> check() {
    if (!is_e164(input_.to)) report(IssueCode::invalid_recipient, "to", "to must be an E.164 number.");
    check_body();
    check_media();
    check_send_at();
    if (input_.validity_period && input_.validity_period->count() <= 0) {
      report(IssueCode::invalid_field, "validityPeriodSec", "validityPeriodSec must be a whole number above zero.");
    }
    if (input_.webhook_url && !is_url(*input_.webhook_url)) {
      report(IssueCode::invalid_field, "webhookUrl", "webhookUrl must be an absolute http(s) URL.");
    }
    check_key();
    return std::move(issues_);
  }

 private:
  static bool is_url(std::string_view text) { return is_valid_utf8(text) && is_http_url(text); }

  void check_body() {
    if (!is_valid_utf8(input_.body)) {
      report(IssueCode::invalid_field, "body", "body must be valid UTF-8.");
    } else if (input_.body.empty() && input_.media_urls.empty()) {
      report(IssueCode::empty_body, "body", "body may be empty only with media.");
    }
  }

  void check_media() {
    for (const std::string& url : input_.media_urls) {
      if (is_url(url)) continue;
      return report(IssueCode::invalid_field, "mediaUrls", "mediaUrls must hold absolute http(s) URLs.");
    }
  }

  void check_send_at() {
    if (!input_.send_at) return;
    if (*input_.send_at > latest_iso_time) {
      report(IssueCode::invalid_field, "sendAt", "sendAt lies too far in the future.");
    } else if (*input_.send_at <= now_) {
      report(IssueCode::invalid_field, "sendAt", "sendAt must lie in the future.");
    }
  }

  void check_key() {
    if (!input_.idempotency_key) return;
    const std::string& key = *input_.idempotency_key;
    if (!is_valid_utf8(key)) {
      report(IssueCode::invalid_field, "idempotencyKey", "idempotencyKey must be valid UTF-8.");
    } else if (key.empty() || utf16_length(key) > 255) {
      report(IssueCode::invalid_field, "idempotencyKey", "idempotencyKey must have 1 to 255 characters.");
    } else if (has_control_character(key)) {
      report(IssueCode::invalid_field, "idempotencyKey", "idempotencyKey must not hold control characters.");
    }
  }

  void report(IssueCode code, const char* field, const char* message) { issues_.push_back({code, field, message, {}}); }

  const SendInput& input_;
  WallTime now_;
  std::vector<ValidationIssue> issues_;
};

}  // namespace

std::vector<ValidationIssue> message_issues(const SendInput& input, WallTime now) {
  return MessageRules(input, now).check();
}

}  // namespace sms::detail
