#include "message_input.hpp"

#include <sms/error.hpp>

#include "duration.hpp"
#include "sender_text.hpp"
#include "time_text.hpp"

namespace sms::cli {

SendInput message_from(const MessageArguments& arguments, Console& console) {
  SendInput input;
  input.to = arguments.to;
  if (arguments.from) input.from = parse_sender(*arguments.from);
  input.body = arguments.body == "-" ? read_text(console, max_body_bytes) : arguments.body.value_or("");
  input.idempotency_key = arguments.key;
  input.media_urls = arguments.media;
  input.webhook_url = arguments.webhook_url;
  if (arguments.send_at) {
    input.send_at = parse_time(*arguments.send_at);
    if (!input.send_at) throw InvalidMessageError("sendAt " + std::string(time_rule), "sendAt");
  }
  if (arguments.validity) {
    const auto validity = parse_duration(*arguments.validity);
    if (!validity || *validity % std::chrono::seconds(1) != std::chrono::milliseconds(0)) {
      throw InvalidMessageError("validityPeriodSec " + std::string(duration_rule) + ", in whole seconds",
                                "validityPeriodSec");
    }
    input.validity_period = std::chrono::duration_cast<std::chrono::seconds>(*validity);
  }
  return input;
}

}  // namespace sms::cli
