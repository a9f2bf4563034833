#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sms {

enum class KeywordKind { opted_out, opted_in, help };

struct Keyword {
  KeywordKind kind{};
  std::string keyword;  ///< In capitals.
  bool operator==(const Keyword&) const = default;
};

/// Whether a whole inbound message is one of the words of consent: STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT,
/// OPTOUT, REVOKE; HELP, INFO; and START, UNSTOP, YES only with `opt_in`, since YES is also an answer. Letter case
/// (ASCII), white space around and final `. ! ?` do not matter.
std::optional<Keyword> detect_keyword(std::string_view body, bool opt_in = false);

}  // namespace sms
