#include <sms/encoding.hpp>

#include "core/gsm7.hpp"
#include "core/look_alikes.hpp"
#include "core/text.hpp"

namespace sms {
namespace {

using detail::decode_utf8;

/// Number of bytes of the marks that follow each other from the front of `text`.
std::size_t marks_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const auto next = decode_utf8(text.substr(length));
    if (!detail::is_mark(next.code_point)) break;
    length += next.length;
  }
  return length;
}

std::string look_alike_of_pair(std::string_view base, char32_t base_code_point, std::string_view marks) {
  const auto mark = decode_utf8(marks);
  if (mark.length == marks.size()) {
    if (const auto letter = detail::composed(base_code_point, mark.code_point)) return std::string(*letter);
  }
  return std::string(base);
}

/// Reads a body character by character and notes what GSM-7 does not have.
class Reader {
 public:
  explicit Reader(std::string_view body) : rest_(body) {}

  void read_all() {
    while (!rest_.empty()) read();
  }

  std::vector<NonGsmCharacter> found;
  std::string replaced;

 private:
  void read() {
    const auto next = decode_utf8(rest_);
    if (detail::gsm7_septets(next.code_point) == 0) {
      note(next);
    } else if (const std::size_t marks = marks_length(rest_.substr(next.length))) {
      note_pair(next, marks);
    } else {
      replaced.append(rest_.substr(0, next.length));
      follows_kept_ = false;
      advance(next.length, 1);
    }
  }

  void note(const detail::Decoded& next) {
    auto look_alike = detail::look_alike_of(next.code_point);
    // A mark can only go together with what it belongs to.
    if (follows_kept_ && detail::is_mark(next.code_point)) look_alike.reset();
    follows_kept_ = !look_alike;
    const std::string character(next.valid ? rest_.substr(0, next.length) : std::string_view("\xEF\xBF\xBD"));
    const std::string kind(next.valid ? detail::kind_of(next.code_point) : "invalid byte");
    add(next.code_point, character, kind, std::move(look_alike));
    advance(next.length, 1);
  }

  void note_pair(const detail::Decoded& base, std::size_t marks_bytes) {
    const std::string_view character = rest_.substr(0, base.length);
    const std::string_view marks = rest_.substr(base.length, marks_bytes);
    const auto mark = decode_utf8(marks);
    add(mark.code_point, std::string(rest_.substr(0, base.length + marks_bytes)),
        std::string(detail::kind_of(mark.code_point)), look_alike_of_pair(character, base.code_point, marks));
    follows_kept_ = false;
    std::size_t code_points = 1;
    for (std::size_t i = 0; i < marks.size(); i += decode_utf8(marks.substr(i)).length) ++code_points;
    advance(base.length + marks_bytes, code_points);
  }

  void add(char32_t code_point, std::string character, std::string kind, std::optional<std::string> look_alike) {
    replaced += look_alike ? *look_alike : character;
    found.push_back({.byte_offset = bytes_,
                     .character_index = code_points_,
                     .code_point = code_point,
                     .character = std::move(character),
                     .kind = std::move(kind),
                     .look_alike = std::move(look_alike)});
  }

  void advance(std::size_t bytes, std::size_t code_points) {
    rest_.remove_prefix(bytes);
    bytes_ += bytes;
    code_points_ += code_points;
  }

  std::string_view rest_;
  std::size_t bytes_ = 0, code_points_ = 0;
  bool follows_kept_ = false;  ///< The character before has no look-alike.
};

}  // namespace

SegmentExplanation explain_segments(std::string_view body) {
  Reader reader(body);
  reader.read_all();
  return {.estimate = estimate_segments(body),
          .characters = std::move(reader.found),
          .with_look_alikes = estimate_segments(reader.replaced)};
}

}  // namespace sms
