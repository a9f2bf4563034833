#pragma once

#include "conformance/vector_file.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::conformance {

/// One place where our contract decides otherwise than the recorded answers.
struct Deviation {
  std::string label;
  std::string case_name;                     ///< The one case that it is about; empty for a rule:
  boost::json::object rule;                  ///< patterns over a case's `input` and `recorded` output.
  std::optional<boost::json::value> expect;  ///< What we answer instead, as a whole,
  boost::json::value change;                 ///< or as changes to the recorded answer.
  std::optional<VectorCase> example;         ///< A case for a rule that no recorded one uses.
  bool used = false;
};

class Deviations {
 public:
  Deviations() = default;
  /// Those of one kind. Throws when the file is not well-formed.
  Deviations(const std::filesystem::path& path, std::string_view kind);

  enum class Verdict {
    none,      ///< No entry is about this case.
    expected,  ///< The answer is the one that an entry expects.
    wrong      ///< It is neither the recorded nor the expected one.
  };
  Verdict judge(const VectorCase& vector_case, const boost::json::value& recorded, const boost::json::value& got);

  /// Whether an entry names this very case: then the recorded answer would be wrong, too.
  bool names(std::string_view case_name) const;

  std::span<const Deviation> entries() const { return entries_; }

 private:
  std::vector<Deviation> entries_;
};

}  // namespace sms::conformance
