#include <sms/encoding.hpp>

#include "core/gsm7.hpp"
#include "core/text.hpp"

#include <bitset>
#include <cstring>
#include <memory>

namespace sms {
namespace {

using detail::decode_utf8;
using detail::gsm7_septets;

/// What a byte is: flags, so that a block of bytes is judged by one OR.
enum : std::uint8_t { basic = 0, extension = 1, other = 2 };

constexpr auto byte_classes = [] {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned b = 0; b < classes.size(); ++b) {
    const int septets = b < 0x80 ? gsm7_septets(b) : 0;
    classes[b] = septets == 1 ? basic : septets == 2 ? extension : other;
  }
  return classes;
}();

/// Length of the longest prefix without a byte of the classes in `stop`.
std::size_t run_length(std::string_view text, std::uint8_t stop) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t block;
    std::memcpy(&block, text.data() + i, sizeof block);
    std::uint8_t seen = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) seen |= byte_classes[(block >> shift) & 0xFF];
    if ((seen & stop) != 0) break;
  }
  while (i < text.size() && (byte_classes[static_cast<unsigned char>(text[i])] & stop) == 0) ++i;
  return i;
}

/// Counts units and packs them greedily. Only characters of two units can leave a gap, so all others are added in bulk.
class Packer {
 public:
  Packer(std::size_t single, std::size_t part) : single_(single), part_(part) {}

  void add_single(std::size_t count) { units_ += count; }
  void add_pair() {
    if ((units_ + gaps_) % part_ == part_ - 1) ++gaps_;
    units_ += 2;
  }

  void fill(SegmentEstimate& estimate) const {
    const bool fits = units_ <= single_;
    const std::size_t capacity = fits ? single_ : part_;
    const std::size_t packed = fits ? units_ : units_ + gaps_;
    const std::size_t segments = (packed + capacity - 1) / capacity;
    estimate.units = static_cast<int>(units_);
    estimate.segments = static_cast<int>(segments);
    estimate.units_per_segment = static_cast<int>(capacity);
    estimate.remaining_in_segment = static_cast<int>(segments == 0 ? capacity : segments * capacity - packed);
  }

 private:
  std::size_t single_, part_;
  std::size_t units_ = 0, gaps_ = 0;
};

/// A set of code points whose size does not depend on how many there are.
class CodePointSet {
 public:
  /// True when it was not in the set.
  bool insert(char32_t code_point) {
    auto& page = pages_[code_point / page_size];
    if (!page) page = std::make_unique<std::bitset<page_size>>();
    const std::size_t bit = code_point % page_size;
    if (page->test(bit)) return false;
    page->set(bit);
    return true;
  }

 private:
  static constexpr std::size_t page_size = 4096;
  std::array<std::unique_ptr<std::bitset<page_size>>, 0x110000 / page_size> pages_;
};

void append_utf8(std::vector<std::string>& out, std::string_view rest, const detail::Decoded& next) {
  out.emplace_back(next.valid ? rest.substr(0, next.length) : std::string_view("\xEF\xBF\xBD"));
}

/// Goes on in UCS-2 from the first character that GSM-7 does not have. `before` counts the characters already read:
/// each is one unit.
SegmentEstimate estimate_ucs2(std::string_view rest, std::size_t before) {
  SegmentEstimate estimate{.encoding = Encoding::ucs2, .contains_unicode = true, .non_gsm_characters = {}};
  Packer packer(70, 67);
  packer.add_single(before);
  CodePointSet seen;
  while (!rest.empty()) {
    const std::size_t run = run_length(rest, other);
    packer.add_single(run);
    rest.remove_prefix(run);
    if (rest.empty()) break;
    const auto next = decode_utf8(rest);
    if (next.code_point > 0xFFFF) {
      packer.add_pair();
    } else {
      packer.add_single(1);
    }
    if (gsm7_septets(next.code_point) == 0 && seen.insert(next.code_point)) {
      append_utf8(estimate.non_gsm_characters, rest, next);
    }
    rest.remove_prefix(next.length);
  }
  packer.fill(estimate);
  return estimate;
}

}  // namespace

std::string_view to_string(Encoding encoding) noexcept {
  switch (encoding) {
    case Encoding::gsm7:
      return "gsm7";
    case Encoding::ucs2:
      return "ucs2";
  }
  return "";
}

SegmentEstimate estimate_segments(std::string_view body) {
  Packer packer(160, 153);
  std::size_t characters = 0;
  while (!body.empty()) {
    const std::size_t run = run_length(body, extension | other);
    packer.add_single(run);
    characters += run;
    body.remove_prefix(run);
    if (body.empty()) break;
    const auto next = decode_utf8(body);
    switch (gsm7_septets(next.code_point)) {
      case 0:
        return estimate_ucs2(body, characters);
      case 1:
        packer.add_single(1);
        break;
      default:
        packer.add_pair();
    }
    ++characters;
    body.remove_prefix(next.length);
  }
  SegmentEstimate estimate;
  packer.fill(estimate);
  return estimate;
}

bool is_gsm7(std::string_view body) noexcept {
  while (true) {
    body.remove_prefix(run_length(body, other));
    if (body.empty()) return true;
    const auto next = decode_utf8(body);
    if (gsm7_septets(next.code_point) == 0) return false;
    body.remove_prefix(next.length);
  }
}

}  // namespace sms
