#include "secret_source.hpp"

#include <fstream>
#include <iterator>
#include <string_view>

namespace sms::cli {

namespace {

constexpr std::string_view env_prefix = "env:";
constexpr std::string_view file_prefix = "file:";

std::variant<Secret, std::string> read_secret_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    return "names the file " + path.string() + ", which cannot be read";
  }
  std::string value(std::istreambuf_iterator<char>(file), {});
  if (value.ends_with('\n')) value.pop_back();
  if (value.ends_with('\r')) value.pop_back();
  if (value.empty()) return "names the file " + path.string() + ", which is empty";
  return Secret(std::move(value));
}

}  // namespace

std::variant<Secret, std::string> read_secret(const std::string& text, const Environment& environment,
                                              const std::filesystem::path& base) {
  if (text.empty()) return std::string("must not be empty");
  if (text.starts_with(env_prefix)) {
    const std::string name = text.substr(env_prefix.size());
    std::optional<std::string> value = environment(name);
    if (!value) return "names the environment variable " + name + ", which is not set";
    return Secret(std::move(*value));
  }
  if (text.starts_with(file_prefix)) return read_secret_file(base / text.substr(file_prefix.size()));
  return Secret(text);
}

bool is_literal_secret(std::string_view text) noexcept {
  return !text.starts_with(env_prefix) && !text.starts_with(file_prefix);
}

}  // namespace sms::cli
