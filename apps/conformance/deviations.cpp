#include "conformance/deviations.hpp"

#include "conformance/compare.hpp"

#include <algorithm>

namespace sms::conformance {
namespace {

namespace json = boost::json;

bool applies(const Deviation& entry, const VectorCase& vector_case, const json::value& recorded) {
  if (!entry.case_name.empty()) return entry.case_name == vector_case.name;
  const auto* input = entry.rule.if_contains("input");
  const auto* output = entry.rule.if_contains("recorded");
  return (!input || matches(*input, vector_case.input, OtherFields::allowed)) &&
         (!output || matches(*output, recorded, OtherFields::allowed));
}

Deviation deviation_of(const json::object& object) {
  Deviation entry;
  if (const auto* rule = object.if_contains("rule")) {
    entry.rule = rule->as_object();
    entry.label = "rule " + json::serialize(entry.rule);
  } else {
    entry.case_name = std::string(object.at("case").as_string());
    entry.label = "case " + entry.case_name;
  }
  if (const auto* expect = object.if_contains("expect")) {
    entry.expect = *expect;
  } else {
    entry.change = object.at("change");
  }
  if (const auto* example = object.if_contains("example")) {
    entry.example = VectorCase{"example of " + entry.label, example->at("input").as_object(), example->at("recorded")};
  }
  return entry;
}

}  // namespace

Deviations::Deviations(const std::filesystem::path& path, std::string_view kind) {
  const auto file = read_json(path);
  for (const auto& value : file.as_array()) {
    const auto& object = value.as_object();
    if (object.at("kind").as_string() == kind) entries_.push_back(deviation_of(object));
  }
}

Deviations::Verdict Deviations::judge(const VectorCase& vector_case, const json::value& recorded,
                                      const json::value& got) {
  auto verdict = Verdict::none;
  for (auto& entry : entries_) {
    if (!applies(entry, vector_case, recorded)) continue;
    const auto expected = entry.expect ? *entry.expect : patched(recorded, entry.change);
    if (matches(expected, got, OtherFields::refused)) {
      entry.used = true;
      return Verdict::expected;
    }
    verdict = Verdict::wrong;
  }
  return verdict;
}

bool Deviations::names(std::string_view case_name) const {
  return std::ranges::find(entries_, case_name, &Deviation::case_name) != entries_.end();
}

}  // namespace sms::conformance
