#include <sms/keywords.hpp>

#include "core/text.hpp"

#include <array>

namespace sms {
namespace {

struct Word {
  KeywordKind kind;
  std::string_view text;
};

constexpr std::array<Word, 13> words = {{{KeywordKind::opted_out, "STOP"},
                                         {KeywordKind::opted_out, "STOPALL"},
                                         {KeywordKind::opted_out, "UNSUBSCRIBE"},
                                         {KeywordKind::opted_out, "CANCEL"},
                                         {KeywordKind::opted_out, "END"},
                                         {KeywordKind::opted_out, "QUIT"},
                                         {KeywordKind::opted_out, "OPTOUT"},
                                         {KeywordKind::opted_out, "REVOKE"},
                                         {KeywordKind::help, "HELP"},
                                         {KeywordKind::help, "INFO"},
                                         {KeywordKind::opted_in, "START"},
                                         {KeywordKind::opted_in, "UNSTOP"},
                                         {KeywordKind::opted_in, "YES"}}};

std::string_view bare(std::string_view text) {
  text = detail::trim_ecma(text);
  while (text.ends_with('.') || text.ends_with('!') || text.ends_with('?')) {
    text.remove_suffix(1);
    text = detail::trim_ecma(text);
  }
  return text;
}

bool equals(std::string_view text, std::string_view capitals) {
  if (text.size() != capitals.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'a' && text[i] <= 'z' ? static_cast<char>(text[i] - 'a' + 'A') : text[i];
    if (c != capitals[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<Keyword> detect_keyword(std::string_view body, bool opt_in) {
  const std::string_view text = bare(body);
  for (const Word& word : words) {
    if (!equals(text, word.text)) continue;
    if (word.kind == KeywordKind::opted_in && !opt_in) return std::nullopt;
    return Keyword{word.kind, std::string(word.text)};
  }
  return std::nullopt;
}

}  // namespace sms
