#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// Values of a statement, in the order of its $1, $2, ... Texts and arrays of texts alone; the SQL casts.
class PgParameters {
 public:
  PgParameters& text(std::string_view value);
  PgParameters& text_or_null(const std::optional<std::string>& value);
  PgParameters& number(std::int64_t value) { return text(std::to_string(value)); }
  /// One element for each row of a batch.
  PgParameters& texts(const std::vector<std::optional<std::string>>& values);

  std::size_t size() const noexcept { return values_.size(); }
  const std::vector<unsigned>& types() const noexcept { return types_; }
  std::vector<const char*> pointers() const;
  std::vector<int> lengths() const;
  const std::vector<int>& formats() const noexcept { return formats_; }

 private:
  std::vector<std::optional<std::string>> values_;
  std::vector<unsigned> types_;
  std::vector<int> formats_;
};

}  // namespace sms::detail
