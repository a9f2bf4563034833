#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace sms::cli {

/// How many insertions, deletions and replacements of a byte lead from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, when it is near enough to have been meant.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace sms::cli
