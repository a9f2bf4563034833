#pragma once

#include <boost/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::conformance {

/// Stands for a lone surrogate, which UTF-8 cannot express. A noncharacter, so that no real text has it.
inline constexpr std::string_view lone_surrogate = "\xEF\xB7\x90";

/// One recorded answer.
struct VectorCase {
  std::string name;
  boost::json::object input;
  boost::json::value output;
};

struct VectorFile {
  std::vector<VectorCase> cases;
  boost::json::object shared;  ///< The entry whose name begins with `(`: values that cases refer to; by its field.
};

/// Throws `std::runtime_error` when the file cannot be read or is no vector file.
VectorFile read_vectors(const std::filesystem::path& path);

boost::json::value read_json(const std::filesystem::path& path);

/// The number that a value is: a JSON number, or `{"$num": "..."}` for special ones and for those that are no small
/// integers.
std::optional<double> number_in(const boost::json::value& value);

/// Whether some text in a value held a lone surrogate.
bool has_lone_surrogate(const boost::json::value& value);

}  // namespace sms::conformance
