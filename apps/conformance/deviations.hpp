#pragma once

#include "conformance/vector_file.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sms::conformance {

/// Where our contract decides otherwise than the recorded answers. An entry names one case, or a rule: patterns over a
/// case's input and recorded output; `expect` is what we answer instead, whole for a case and a pattern for a rule.
class Deviations {
 public:
  Deviations() = default;
  /// Of one kind. Throws `std::runtime_error` when the file is not well-formed.
  Deviations(const std::filesystem::path& path, std::string_view kind);

  enum class Verdict {
    none,      ///< No entry is about this case.
    expected,  ///< The answer is the one that an entry expects.
    wrong      ///< It is neither the recorded nor the expected one.
  };
  Verdict judge(const VectorCase& vector_case, const boost::json::value& recorded, const boost::json::value& got);

  /// Whether an entry names this very case: then the recorded answer would be wrong, too.
  bool names(std::string_view case_name) const;

  /// Entries that no case used.
  std::vector<std::string> unused() const;

 private:
  struct Entry {
    std::string label;
    std::string case_name;  ///< Empty for a rule.
    boost::json::object rule;
    boost::json::value expect;
    bool used = false;
  };
  std::vector<Entry> entries_;
};

}  // namespace sms::conformance
