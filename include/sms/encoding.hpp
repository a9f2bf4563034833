#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms {

/// How an SMS carries text: the 7-bit alphabet of GSM 03.38, or UTF-16 code units.
enum class Encoding { gsm7, ucs2 };
std::string_view to_string(Encoding) noexcept;

/// What a body costs in SMS parts. An estimate, not a price: it assumes that no provider replaces characters.
struct SegmentEstimate {
  Encoding encoding = Encoding::gsm7;
  int segments = 0;                             ///< Billed parts; 0 for an empty body.
  int units = 0;                                ///< Septets (GSM-7) or UTF-16 code units (UCS-2) of the text itself.
  int units_per_segment = 160;                  ///< 160 or 70 for a single part, 153 or 67 when there are several.
  int remaining_in_segment = 160;               ///< Units left in the last part.
  bool contains_unicode = false;                ///< Whether some character forced UCS-2.
  std::vector<std::string> non_gsm_characters;  ///< Each distinct code point that forced UCS-2, in order of appearance.
  bool operator==(const SegmentEstimate&) const = default;
};

/// Estimates the parts of a UTF-8 body. An extension character or a surrogate pair is never split between parts. Each
/// byte that is not part of valid UTF-8 counts as U+FFFD (a message with such a body is refused before it is sent).
/// Allocates nothing for a GSM-7 body. One pass; thread-safe.
SegmentEstimate estimate_segments(std::string_view body);

/// Whether a body fits the GSM-7 alphabet and its extension table.
bool is_gsm7(std::string_view body) noexcept;

/// One place of a body that forces UCS-2.
struct NonGsmCharacter {
  std::size_t byte_offset = 0;      ///< Where it stands in the body, in bytes.
  std::size_t character_index = 0;  ///< The same in code points.
  char32_t code_point = 0;
  std::string character;  ///< UTF-8; a combining mark comes with its letter.
  std::string kind;       ///< What it is, in words: "curly quote", "emoji", "combining mark", ...
  std::optional<std::string>
      look_alike;  ///< GSM-7 text that looks the same, where one exists; may be empty (remove it).
};

/// Why a body costs what it costs.
struct SegmentExplanation {
  SegmentEstimate estimate;
  std::vector<NonGsmCharacter> characters;
  /// The estimate after each character with a look-alike was replaced. Equal to `estimate` when nothing can be.
  SegmentEstimate with_look_alikes;
};

/// Explains what forces UCS-2 and what could be written instead. It suggests; it never changes a message.
SegmentExplanation explain_segments(std::string_view body);

}  // namespace sms
