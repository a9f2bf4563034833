#include "sender_text.hpp"

#include <sms/error.hpp>
#include <sms/phone_number.hpp>

namespace sms::cli {

namespace {

struct Formatter {
  std::string operator()(const std::string& number) const { return number; }
  std::string operator()(const SenderId& sender) const { return "sender:" + sender.value; }
  std::string operator()(const ShortCode& code) const { return "short:" + code.value; }
  std::string operator()(const MessagingService& service) const { return "service:" + service.value; }
};

}  // namespace

From parse_sender(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    if (!text.starts_with('+')) throw InvalidSenderError("from " + std::string(sender_rule), std::nullopt);
    return std::string(text);
  }
  const std::string_view kind = text.substr(0, colon);
  std::string value(text.substr(colon + 1));
  if (kind == "sender") return SenderId{std::move(value)};
  if (kind == "short") return ShortCode{std::move(value)};
  if (kind == "service") return MessagingService{std::move(value)};
  throw InvalidSenderError("from " + std::string(sender_rule), std::nullopt);
}

std::string format_sender(const From& sender) { return std::visit(Formatter{}, sender); }

std::string mask_sender(const From& sender) {
  if (const auto* number = std::get_if<std::string>(&sender)) return mask_phone_number(*number);
  return format_sender(sender);
}

}  // namespace sms::cli
