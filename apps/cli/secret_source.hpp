#pragma once

#include <sms/secret.hpp>

#include "environment.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace sms::cli {

/// A secret of a configuration file: `env:NAME`, `file:PATH` (one final line break does not count; a relative path
/// starts at `base`), or the value itself. Answers the secret, or what is wrong, without the value.
std::variant<Secret, std::string> read_secret(const std::string& text, const Environment& environment,
                                              const std::filesystem::path& base);

/// Whether the text is the secret itself.
bool is_literal_secret(std::string_view text) noexcept;

}  // namespace sms::cli
