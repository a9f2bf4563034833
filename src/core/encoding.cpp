#include <sms/encoding.hpp>

#include "core/gsm7.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <memory>

namespace sms {
namespace {

using detail::decode_utf8;
using detail::gsm7_septets;

/// Septets of the one-byte characters; 0 for what GSM-7 does not have, and for the bytes of longer ones.
constexpr auto byte_septets = [] {
  std::array<std::uint8_t, 256> septets{};
  for (unsigned b = 0; b < 0x80; ++b) septets[b] = static_cast<std::uint8_t>(gsm7_septets(b));
  return septets;
}();

/// Comparisons instead of the table, so that the compiler can judge many bytes at once.
constexpr bool is_one_septet(std::uint8_t b) {
  const auto within = [b](unsigned first, unsigned last) {
    return static_cast<std::uint8_t>(b - first) <= last - first;
  };
  return bool(within(' ', 'Z') | within('a', 'z') | (b == '_') | (b == '\n') | (b == '\r'));
}
static_assert([] {
  for (unsigned b = 0; b < 256; ++b) {
    if (is_one_septet(static_cast<std::uint8_t>(b)) != (byte_septets[b] == 1)) return false;
  }
  return true;
}());

/// Length of a prefix of characters that are one byte and one septet.
std::size_t plain_run(std::string_view text) noexcept {
  constexpr std::size_t block = 32;
  std::size_t i = 0;
  for (; i + block <= text.size(); i += block) {
    unsigned char bytes[block];
    std::memcpy(bytes, text.data() + i, block);
    std::uint8_t all = 1;
    for (const unsigned char b : bytes) all &= is_one_septet(b);
    if (all == 0) break;
  }
  while (i < text.size() && byte_septets[static_cast<unsigned char>(text[i])] == 1) ++i;
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

/// A set of code points: the first few stand in a list, which is all that most bodies need.
class CodePointSet {
 public:
  /// True when it was not in the set.
  bool insert(char32_t code_point) {
    const auto* end = few_.data() + count_;
    if (std::find<const char32_t*>(few_.data(), end, code_point) != end) return false;
    if (count_ < few_.size()) {
      few_[count_++] = code_point;
      return true;
    }
    if (pages_.empty()) pages_.resize(0x110000 / page_size);
    auto& page = pages_[code_point / page_size];
    if (!page) page = std::make_unique<std::bitset<page_size>>();
    const std::size_t bit = code_point % page_size;
    if (page->test(bit)) return false;
    page->set(bit);
    return true;
  }

 private:
  std::array<char32_t, 16> few_;
  std::size_t count_ = 0;
  static constexpr std::size_t page_size = 4096;
  std::vector<std::unique_ptr<std::bitset<page_size>>> pages_;
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
    const std::size_t run = plain_run(rest);
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

SegmentEstimate estimate_segments(std::string_view body) {
  Packer packer(160, 153);
  std::size_t characters = 0;
  while (!body.empty()) {
    const std::size_t run = plain_run(body);
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
    body.remove_prefix(plain_run(body));
    if (body.empty()) return true;
    const auto next = decode_utf8(body);
    if (gsm7_septets(next.code_point) == 0) return false;
    body.remove_prefix(next.length);
  }
}

}  // namespace sms
