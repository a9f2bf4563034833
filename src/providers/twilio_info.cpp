#include "providers/twilio_info.hpp"

#include "providers/construction.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sms::detail {
namespace {

using Type = OptionSpec::Type;
using enum RejectionCategory;

constexpr std::array codes = {
    CodeCategory{20003, auth},         CodeCategory{20429, rate_limited},  // too many requests
    CodeCategory{21611, rate_limited},                                     // the sender's queue is full
    CodeCategory{21212, sender},       CodeCategory{21603, sender},       CodeCategory{21606, sender},
    CodeCategory{21612, sender},       CodeCategory{21659, sender},       CodeCategory{21660, sender},
    CodeCategory{21703, sender},       CodeCategory{21408, account},  // region not enabled
    CodeCategory{21608, account},                                     // trial account, recipient not verified
    CodeCategory{90010, account},                                     // account not active
    CodeCategory{21211, recipient},    CodeCategory{21217, recipient},    CodeCategory{21614, recipient},
    CodeCategory{21635, recipient},   // landline
    CodeCategory{21610, compliance},  // the recipient has opted out
};

std::string_view application_sid_fault(std::string_view value) {
  return is_sid("AP", value) ? "" : "must be AP and 32 hex digits";
}

OptionSpecs option_specs() {
  return {
      .options =
          {
              {.name = "applicationSid", .wire = "ApplicationSid", .check = application_sid_fault},
              {.name = "provideFeedback", .wire = "ProvideFeedback", .type = Type::boolean},
              {.name = "attempt", .wire = "Attempt", .type = Type::integer, .min = 1},
              {.name = "contentRetention",
               .wire = "ContentRetention",
               .type = Type::enumeration,
               .words = {"retain", "discard"}},
              {.name = "addressRetention",
               .wire = "AddressRetention",
               .type = Type::enumeration,
               .words = {"retain", "obfuscate"}},
              {.name = "smartEncoded", .wire = "SmartEncoded", .type = Type::boolean},
              {.name = "shortenUrls", .wire = "ShortenUrls", .type = Type::boolean},
              {.name = "sendAsMms", .wire = "SendAsMms", .type = Type::boolean},
              {.name = "messageIntent",
               .wire = "MessageIntent",
               .type = Type::enumeration,
               .words = {"otp", "notifications", "marketing", "fraud", "security", "customercare", "delivery",
                         "education", "polling", "announcements", "events"}},
              {.name = "riskCheck", .wire = "RiskCheck", .type = Type::enumeration, .words = {"enable", "disable"}},
          },
      .reserved = {"To", "From", "MessagingServiceSid", "Body", "MediaUrl", "StatusCallback", "ValidityPeriod",
                   "SendAt", "ScheduleType", "ContentSid", "ContentVariables"},
  };
}

bool shortens_urls(const AdapterMessage& message) {
  return std::any_of(message.options.begin(), message.options.end(), [](const auto& option) {
    const bool* const on = std::get_if<bool>(&option.second);
    return option.first == "ShortenUrls" && on != nullptr && *on;
  });
}

}  // namespace

AdapterInfo twilio_info(std::string name, std::optional<From> default_sender) {
  AdapterInfo info;
  info.name = std::move(name);
  info.provider = "twilio";
  info.default_sender = std::move(default_sender);
  info.options = option_specs();
  Capabilities& can = info.capabilities;
  can.mms = true;
  can.max_media = 10;
  can.scheduling = true;
  can.validity_period = {std::chrono::seconds(1), std::chrono::seconds(36'000)};
  can.webhook_url_override = true;
  can.inbound = true;
  can.receipts = true;
  can.max_body = 1600;
  return info;
}

CodeTable twilio_codes() noexcept { return codes; }

Delivery twilio_delivery(std::string_view status) noexcept {
  if (status == "queued" || status == "accepted" || status == "scheduled" || status == "sending")
    return Delivery::queued;
  if (status == "sent") return Delivery::sent;
  if (status == "delivered") return Delivery::delivered;
  if (status == "undelivered" || status == "failed") return Delivery::undelivered;
  return Delivery::unknown;
}

std::vector<ValidationIssue> twilio_issues(const std::string& name, const AdapterMessage& message) {
  std::vector<ValidationIssue> issues;
  const auto* const service = message.from ? std::get_if<MessagingService>(&*message.from) : nullptr;
  if (service != nullptr && !is_sid("MG", service->value)) {
    issues.push_back(
        {IssueCode::invalid_sender, "from", "from must be MG and 32 hex digits when it is a messaging service.", name});
  }
  if (service == nullptr && message.send_at) {
    issues.push_back({IssueCode::unsupported_field, "sendAt", "sendAt needs a messaging service as the sender.", name});
  }
  if (service == nullptr && shortens_urls(message)) {
    issues.push_back({IssueCode::unsupported_field, "providerOptions",
                      "shortenUrls needs a messaging service as the sender.", name});
  }
  return issues;
}

}  // namespace sms::detail
