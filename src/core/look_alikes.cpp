#include "core/look_alikes.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace sms::detail {
namespace {

enum class Look { visible, space, invisible, mark };

struct KindRange {
  char32_t first, last;
  std::string_view kind;
  Look look = Look::visible;
};

/// Sorted; where nothing stands it is a "character".
constexpr KindRange kinds[] = {
    {0x0000, 0x0008, "control character", Look::invisible},
    {0x0009, 0x0009, "tab", Look::space},
    {0x000B, 0x001F, "control character", Look::invisible},
    {0x0060, 0x0060, "backtick"},
    {0x007F, 0x009F, "control character", Look::invisible},
    {0x00A0, 0x00A0, "no-break space", Look::space},
    {0x00A9, 0x00A9, "symbol"},
    {0x00AB, 0x00AB, "angle quote"},
    {0x00AD, 0x00AD, "soft hyphen", Look::invisible},
    {0x00AE, 0x00B0, "symbol"},
    {0x00B4, 0x00B4, "accent"},
    {0x00B7, 0x00B7, "bullet"},
    {0x00BB, 0x00BB, "angle quote"},
    {0x00BC, 0x00BE, "fraction"},
    {0x00C0, 0x00D6, "accented letter"},
    {0x00D7, 0x00D7, "symbol"},
    {0x00D8, 0x00F6, "accented letter"},
    {0x00F7, 0x00F7, "symbol"},
    {0x00F8, 0x024F, "accented letter"},
    {0x0300, 0x036F, "combining mark", Look::mark},
    {0x0370, 0x03FF, "Greek letter"},
    {0x0400, 0x052F, "Cyrillic letter"},
    {0x0531, 0x058F, "Armenian letter"},
    {0x0590, 0x05FF, "Hebrew letter"},
    {0x0600, 0x06FF, "Arabic letter"},
    {0x0750, 0x077F, "Arabic letter"},
    {0x0900, 0x097F, "Devanagari letter"},
    {0x0980, 0x09FF, "Bengali letter"},
    {0x0B80, 0x0BFF, "Tamil letter"},
    {0x0E00, 0x0E7F, "Thai letter"},
    {0x10A0, 0x10FF, "Georgian letter"},
    {0x1100, 0x11FF, "Hangul"},
    {0x1680, 0x1680, "special space", Look::space},
    {0x1AB0, 0x1AFF, "combining mark", Look::mark},
    {0x1DC0, 0x1DFF, "combining mark", Look::mark},
    {0x1E00, 0x1EFF, "accented letter"},
    {0x1F00, 0x1FFF, "Greek letter"},
    {0x2000, 0x200A, "special space", Look::space},
    {0x200B, 0x200C, "zero-width character", Look::invisible},
    {0x200D, 0x200D, "zero-width joiner", Look::mark},
    {0x200E, 0x200F, "direction mark", Look::invisible},
    {0x2010, 0x2015, "dash"},
    {0x2018, 0x201F, "curly quote"},
    {0x2022, 0x2023, "bullet"},
    {0x2024, 0x2026, "ellipsis"},
    {0x2027, 0x2027, "bullet"},
    {0x2028, 0x2029, "line separator"},
    {0x202A, 0x202E, "direction mark", Look::invisible},
    {0x202F, 0x202F, "special space", Look::space},
    {0x2032, 0x2037, "prime"},
    {0x2039, 0x203A, "angle quote"},
    {0x203C, 0x203C, "emoji"},
    {0x2043, 0x2043, "dash"},
    {0x2044, 0x2044, "fraction"},
    {0x2049, 0x2049, "emoji"},
    {0x205F, 0x205F, "special space", Look::space},
    {0x2060, 0x2064, "zero-width character", Look::invisible},
    {0x2066, 0x2069, "direction mark", Look::invisible},
    {0x2070, 0x209F, "raised or lowered character"},
    {0x20A0, 0x20CF, "currency sign"},
    {0x20D0, 0x20FF, "combining mark", Look::mark},
    {0x2100, 0x214F, "letter-like symbol"},
    {0x2150, 0x215F, "fraction"},
    {0x2190, 0x21FF, "arrow"},
    {0x2200, 0x2211, "mathematical sign"},
    {0x2212, 0x2212, "dash"},
    {0x2213, 0x22FF, "mathematical sign"},
    {0x231A, 0x231B, "emoji"},
    {0x23E9, 0x23FA, "emoji"},
    {0x2500, 0x259F, "box drawing"},
    {0x25A0, 0x25FF, "geometric shape"},
    {0x2600, 0x27BF, "emoji"},
    {0x2B05, 0x2B55, "emoji"},
    {0x3000, 0x3000, "special space", Look::space},
    {0x3001, 0x303F, "CJK punctuation"},
    {0x3040, 0x30FF, "Japanese letter"},
    {0x3131, 0x318E, "Hangul"},
    {0x3400, 0x9FFF, "CJK character"},
    {0xAC00, 0xD7A3, "Hangul"},
    {0xE000, 0xF8FF, "private-use character"},
    {0xF900, 0xFAFF, "CJK character"},
    {0xFB00, 0xFB06, "ligature"},
    {0xFB1D, 0xFB4F, "Hebrew letter"},
    {0xFB50, 0xFDFF, "Arabic letter"},
    {0xFE00, 0xFE0F, "variation selector", Look::mark},
    {0xFE20, 0xFE2F, "combining mark", Look::mark},
    {0xFE58, 0xFE58, "dash"},
    {0xFE63, 0xFE63, "dash"},
    {0xFE70, 0xFEFE, "Arabic letter"},
    {0xFEFF, 0xFEFF, "zero-width character", Look::invisible},
    {0xFF01, 0xFF5E, "full-width character"},
    {0xFFFD, 0xFFFD, "replacement character"},
    {0x1D400, 0x1D7FF, "styled letter"},
    {0x1F000, 0x1FAFF, "emoji"},
    {0x20000, 0x3FFFF, "CJK character"},
    {0xE0000, 0xE007F, "emoji tag", Look::mark},
    {0xE0100, 0xE01EF, "variation selector", Look::mark},
};
static_assert(std::ranges::is_sorted(kinds, {}, &KindRange::first));

struct Replacement {
  char32_t first;
  std::u32string_view characters;  ///< One look-alike per code point from `first`; a space: none.
};

/// Letters by their base letter. What GSM-7 has itself stands here as a blank.
constexpr Replacement letters[] = {
    {0xC0, U"AAAA    E EEIIIID OOOO   UUU Y   aaa   c  ee iiid  ooo    uu y y"},
    {0x100,
     U"AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi  JjKkkLlLlLlLlLlNnNnNnnNnOoOoOo  RrRrRrSsSsSsSsTt"
     U"TtTtUuUuUuUuUuUuWwYyYZzZzZzs"},
    {0x1CD, U"AaIiOoUuUuUuUuUu"},
    {0x218, U"SsTt"},
    {0x1E00,
     U"AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSs"
     U"SsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy"},
    {0x1EA0, U"AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEeEeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy"},
    {0x391, U"AB  EZH IK MN O P  TY X"},
    {0x410, U"A B  E    K MHO PCT  X"},
    {0x430, U"a    e        o pc y x"},
};

struct Text {
  char32_t code_point;
  std::string_view look_alike;
};

/// Sorted.
constexpr Text texts[] = {
    {0x0060, "'"},   {0x0085, "\n"},  {0x00A9, "(c)"}, {0x00AA, "a"},   {0x00AB, "\""},  {0x00AE, "(R)"},
    {0x00B2, "2"},   {0x00B3, "3"},   {0x00B4, "'"},   {0x00B5, "u"},   {0x00B7, "."},   {0x00B8, ","},
    {0x00B9, "1"},   {0x00BA, "o"},   {0x00BB, "\""},  {0x00BC, "1/4"}, {0x00BD, "1/2"}, {0x00BE, "3/4"},
    {0x00D7, "x"},   {0x00F7, "/"},   {0x0132, "IJ"},  {0x0133, "ij"},  {0x0152, "OE"},  {0x0153, "oe"},
    {0x02B9, "'"},   {0x02BC, "'"},   {0x02C6, "^"},   {0x02DC, "~"},   {0x03BC, "u"},   {0x0405, "S"},
    {0x0406, "I"},   {0x0408, "J"},   {0x0455, "s"},   {0x0456, "i"},   {0x0458, "j"},   {0x1E9E, "ß"},
    {0x2010, "-"},   {0x2011, "-"},   {0x2012, "-"},   {0x2013, "-"},   {0x2014, "-"},   {0x2015, "-"},
    {0x2018, "'"},   {0x2019, "'"},   {0x201A, "'"},   {0x201B, "'"},   {0x201C, "\""},  {0x201D, "\""},
    {0x201E, "\""},  {0x201F, "\""},  {0x2022, "*"},   {0x2023, "*"},   {0x2024, "."},   {0x2025, ".."},
    {0x2026, "..."}, {0x2027, "."},   {0x2028, "\n"},  {0x2029, "\n"},  {0x2032, "'"},   {0x2033, "\""},
    {0x2034, "'''"}, {0x2035, "'"},   {0x2036, "\""},  {0x2039, "'"},   {0x203A, "'"},   {0x203C, "!!"},
    {0x2043, "-"},   {0x2044, "/"},   {0x2049, "!?"},  {0x2070, "0"},   {0x2071, "i"},   {0x207F, "n"},
    {0x2116, "No"},  {0x2122, "TM"},  {0x2126, "Ω"},   {0x212A, "K"},   {0x212B, "Å"},   {0x2190, "<-"},
    {0x2192, "->"},  {0x2194, "<->"}, {0x2206, "Δ"},   {0x220F, "Π"},   {0x2211, "Σ"},   {0x2212, "-"},
    {0x2215, "/"},   {0x2217, "*"},   {0x2219, "."},   {0x2223, "|"},   {0x223C, "~"},   {0x2260, "!="},
    {0x2264, "<="},  {0x2265, ">="},  {0x25AA, "*"},   {0x25CF, "*"},   {0x25E6, "*"},   {0xFB00, "ff"},
    {0xFB01, "fi"},  {0xFB02, "fl"},  {0xFB03, "ffi"}, {0xFB04, "ffl"}, {0xFB05, "st"},  {0xFB06, "st"},
    {0xFE58, "-"},   {0xFE63, "-"},   {0xFF40, "'"},
};
static_assert(std::ranges::is_sorted(texts, {}, &Text::code_point));

/// NFC of what GSM-7 has: base letter, accent, letter.
struct Composition {
  char32_t base, mark;
  std::string_view letter;
};
constexpr char32_t grave = 0x300, acute = 0x301, tilde = 0x303, diaeresis = 0x308, ring = 0x30A, cedilla = 0x327;
constexpr Composition compositions[] = {
    {U'a', grave, "à"},     {U'e', grave, "è"},     {U'i', grave, "ì"},     {U'o', grave, "ò"},
    {U'u', grave, "ù"},     {U'e', acute, "é"},     {U'E', acute, "É"},     {U'n', tilde, "ñ"},
    {U'N', tilde, "Ñ"},     {U'a', diaeresis, "ä"}, {U'o', diaeresis, "ö"}, {U'u', diaeresis, "ü"},
    {U'A', diaeresis, "Ä"}, {U'O', diaeresis, "Ö"}, {U'U', diaeresis, "Ü"}, {U'a', ring, "å"},
    {U'A', ring, "Å"},      {U'C', cedilla, "Ç"},
};

bool between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

std::string ascii(char32_t code_point) { return std::string(1, static_cast<char>(code_point)); }

/// Blocks whose look-alikes follow from the code point.
std::optional<std::string> computed(char32_t c) {
  if (between(c, 0xFF01, 0xFF5E)) return ascii(c - 0xFF01 + U'!');
  if (between(c, 0x2074, 0x2079)) return ascii(c - 0x2074 + U'4');
  if (between(c, 0x2080, 0x2089)) return ascii(c - 0x2080 + U'0');
  if (between(c, 0x1D400, 0x1D6A3)) {
    const char32_t letter = (c - 0x1D400) % 52;
    return ascii(letter < 26 ? U'A' + letter : U'a' + letter - 26);
  }
  if (between(c, 0x1D7CE, 0x1D7FF)) return ascii((c - 0x1D7CE) % 10 + U'0');
  return {};
}

const KindRange* range_of(char32_t code_point) noexcept {
  const auto* after = std::ranges::upper_bound(kinds, code_point, {}, &KindRange::first);
  if (after == std::begin(kinds) || code_point > std::prev(after)->last) return nullptr;
  return std::prev(after);
}

}  // namespace

std::string_view kind_of(char32_t code_point) noexcept {
  const auto* range = range_of(code_point);
  return range ? range->kind : "character";
}

std::optional<std::string> look_alike_of(char32_t code_point) {
  const auto* text = std::ranges::lower_bound(texts, code_point, {}, &Text::code_point);
  if (text != std::end(texts) && text->code_point == code_point) return std::string(text->look_alike);
  if (auto known = computed(code_point)) return known;
  for (const auto& [first, characters] : letters) {
    if (code_point < first || code_point >= first + characters.size()) continue;
    const char32_t letter = characters[code_point - first];
    if (letter != U' ') return ascii(letter);
  }
  const auto* range = range_of(code_point);
  if (!range) return {};
  switch (range->look) {
    case Look::visible:
      return {};
    case Look::space:
      return " ";
    case Look::invisible:
    case Look::mark:
      return "";
  }
  return {};
}

bool is_mark(char32_t code_point) noexcept {
  const auto* range = range_of(code_point);
  return range && range->look == Look::mark;
}

std::optional<std::string_view> composed(char32_t base, char32_t mark) noexcept {
  const auto* found =
      std::ranges::find_if(compositions, [&](const auto& c) { return c.base == base && c.mark == mark; });
  if (found == std::end(compositions)) return {};
  return found->letter;
}

}  // namespace sms::detail
