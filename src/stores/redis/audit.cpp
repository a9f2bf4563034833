#include "stores/redis/audit.hpp"

#include <charconv>

namespace sms::detail {
namespace {

std::optional<std::string_view> take_word(std::string_view& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto word = text.substr(0, space);
  text.remove_prefix(space + 1);
  return word;
}

template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  const auto word = take_word(text);
  Number number{};
  if (!word || std::from_chars(word->data(), word->data() + word->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

bool take_text(std::string_view& text, std::string& to) {
  const auto size = take_number<std::size_t>(text);
  if (!size || *size > text.size()) return false;
  to = std::string(text.substr(0, *size));
  text.remove_prefix(*size);
  return true;
}

}  // namespace

std::string audit_text(const OperatorNote& note, std::string_view action, std::string_view before) {
  std::string text;
  for (const auto part : {std::string_view(note.who), action, std::string_view(note.why), before}) {
    text += std::to_string(part.size()) + " ";
    text += part;
  }
  return text;
}

std::optional<AuditRow> read_audit(const std::string& key, std::string_view entry) {
  const auto at = take_number<std::int64_t>(entry);
  if (!at || !take_word(entry)) return std::nullopt;
  AuditRow row;
  row.at = WallTime(std::chrono::milliseconds(*at));
  row.key = key;
  const bool whole = take_text(entry, row.who) && take_text(entry, row.action) && take_text(entry, row.why) &&
                     take_text(entry, row.before);
  return whole ? std::optional(row) : std::nullopt;
}

}  // namespace sms::detail
