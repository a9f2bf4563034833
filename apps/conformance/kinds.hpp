#pragma once

#include "conformance/vector_file.hpp"

#include <boost/json.hpp>

#include <span>
#include <string_view>

namespace sms::conformance {

/// How cases of one vector file are run: `answer` gives the library's answer in the shape of the recorded output
/// (throws `Skip` when the case cannot be run here); `normalise` removes from both what does not count.
struct Kind {
  std::string_view name;
  boost::json::value (*answer)(const VectorCase& vector_case, const boost::json::object& shared);
  boost::json::value (*normalise)(const boost::json::value& output);
};

std::span<const Kind> all_kinds();

boost::json::value answer_fingerprint(const VectorCase& vector_case, const boost::json::object& shared);
boost::json::value answer_segments(const VectorCase& vector_case, const boost::json::object& shared);
boost::json::value answer_validate(const VectorCase& vector_case, const boost::json::object& shared);
boost::json::value answer_outcome(const VectorCase& vector_case, const boost::json::object& shared);
boost::json::value answer_requests(const VectorCase& vector_case, const boost::json::object& shared);
boost::json::value answer_records(const VectorCase& vector_case, const boost::json::object& shared);
boost::json::value answer_redact(const VectorCase& vector_case, const boost::json::object& shared);

boost::json::value normalise_records(const boost::json::value& output);

}  // namespace sms::conformance
