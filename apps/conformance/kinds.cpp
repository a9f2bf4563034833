#include "conformance/kinds.hpp"

#include <array>

namespace sms::conformance {
namespace {

namespace json = boost::json;

json::value as_it_is(const json::value& output) { return output; }

/// The same text again, for readers of the file.
json::value without_base64(const json::value& output) {
  auto normal = output;
  normal.as_object().erase("canonicalBase64");
  return normal;
}

/// Sentences of issues are ours to write.
json::value without_sentences(const json::value& output) {
  auto normal = output;
  for (auto& issue : normal.at("validate").at("issues").as_array()) issue.as_object().erase("message");
  return normal;
}

constexpr std::array kinds{
    Kind{"fingerprint", answer_fingerprint, without_base64},
    Kind{"segments", answer_segments, as_it_is},
    Kind{"validate", answer_validate, without_sentences},
    Kind{"outcome", answer_outcome, as_it_is},
    Kind{"requests", answer_requests, as_it_is},
    Kind{"records", answer_records, normalise_records},
    Kind{"redact", answer_redact, as_it_is},
};

}  // namespace

std::span<const Kind> all_kinds() { return kinds; }

}  // namespace sms::conformance
