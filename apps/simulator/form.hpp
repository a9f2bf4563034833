#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sms::simulator {

/// The fields of `a=1&b=two+words`, of a form body or of a query.
class Form {
 public:
  Form() = default;
  explicit Form(std::string_view text);

  /// The last value of a name counts.
  std::optional<std::string> find(std::string_view name) const;
  /// Empty when absent.
  std::string text(std::string_view name) const { return find(name).value_or(""); }
  std::vector<std::string> all(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

std::string percent_encode(std::string_view text);

}  // namespace sms::simulator
