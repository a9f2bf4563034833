#include "providers/telnyx_info.hpp"

#include <sms/adapter_kit.hpp>

#include <array>
#include <utility>

namespace sms::detail {
namespace {

using Type = OptionSpec::Type;
using enum RejectionCategory;

constexpr std::array codes = {
    CodeCategory{10009, auth},         CodeCategory{10010, auth},         CodeCategory{20001, auth},
    CodeCategory{20002, auth},         CodeCategory{20003, auth},         CodeCategory{20006, auth},
    CodeCategory{20008, auth},         CodeCategory{10011, rate_limited},  // too many requests
    CodeCategory{40318, rate_limited},                                     // the queue is full
    CodeCategory{40305, sender},       CodeCategory{40306, sender},       CodeCategory{40308, sender},
    CodeCategory{40315, sender},       CodeCategory{40320, sender},       CodeCategory{40321, sender},
    CodeCategory{40329, sender},       CodeCategory{40330, sender},       CodeCategory{20013, account},
    CodeCategory{20100, account},      CodeCategory{40309, account},      CodeCategory{40312, account},
    CodeCategory{40314, account},      CodeCategory{40331, account},      CodeCategory{40333, account},
    CodeCategory{40301, recipient},    CodeCategory{40310, recipient},    CodeCategory{40319, recipient},
    CodeCategory{40300, compliance},  // the recipient has opted out
    CodeCategory{40322, compliance},  // blocked content
};

std::string_view url_fault(std::string_view value) {
  return is_http_url(value) ? "" : "must be an absolute http(s) URL";
}

OptionSpecs option_specs() {
  return {
      .options =
          {
              {.name = "subject", .wire = "subject"},
              {.name = "webhookFailoverUrl", .wire = "webhook_failover_url", .check = url_fault},
              {.name = "useProfileWebhooks", .wire = "use_profile_webhooks", .type = Type::boolean},
              {.name = "autoDetect", .wire = "auto_detect", .type = Type::boolean},
              {.name = "encoding", .wire = "encoding", .type = Type::enumeration, .words = {"auto", "gsm7", "ucs2"}},
          },
      .reserved = {"to", "from", "messaging_profile_id", "text", "media_urls", "type", "webhook_url", "send_at"},
  };
}

}  // namespace

AdapterInfo telnyx_info(std::string name, std::optional<From> default_sender) {
  AdapterInfo info;
  info.name = std::move(name);
  info.provider = "telnyx";
  info.default_sender = std::move(default_sender);
  info.options = option_specs();
  Capabilities& can = info.capabilities;
  can.mms = true;
  can.scheduling = true;
  can.webhook_url_override = true;
  can.inbound = true;
  can.receipts = true;
  return info;
}

CodeTable telnyx_codes() noexcept { return codes; }

Delivery telnyx_delivery(std::string_view status) noexcept {
  if (status == "queued" || status == "sending") return Delivery::queued;
  if (status == "sent" || status == "delivery_unconfirmed") return Delivery::sent;
  if (status == "delivered") return Delivery::delivered;
  if (status == "sending_failed" || status == "delivery_failed" || status == "expired") return Delivery::undelivered;
  return Delivery::unknown;
}

}  // namespace sms::detail
