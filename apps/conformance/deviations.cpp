#include "conformance/deviations.hpp"

#include "conformance/compare.hpp"

#include <algorithm>
#include <stdexcept>

namespace sms::conformance {
namespace {

namespace json = boost::json;

bool rule_applies(const json::object& rule, const VectorCase& vector_case, const json::value& recorded) {
  const auto* input = rule.if_contains("input");
  const auto* output = rule.if_contains("recorded");
  return (!input || matches(*input, vector_case.input)) && (!output || matches(*output, recorded));
}

}  // namespace

Deviations::Deviations(const std::filesystem::path& path, std::string_view kind) {
  const auto file = read_json(path);
  for (const auto& value : file.as_array()) {
    const auto& object = value.as_object();
    if (object.at("kind").as_string() != kind) continue;
    Entry entry;
    entry.expect = object.at("expect");
    if (const auto* rule = object.if_contains("rule")) {
      entry.rule = rule->as_object();
      entry.label = "rule " + json::serialize(entry.rule);
    } else {
      entry.case_name = std::string(object.at("case").as_string());
      entry.label = "case " + entry.case_name;
    }
    entries_.push_back(std::move(entry));
  }
}

Deviations::Verdict Deviations::judge(const VectorCase& vector_case, const json::value& recorded,
                                      const json::value& got) {
  const auto named = std::ranges::find(entries_, vector_case.name, &Entry::case_name);
  if (named != entries_.end()) {
    named->used = true;
    return same(named->expect, got) ? Verdict::expected : Verdict::wrong;
  }
  auto verdict = Verdict::none;
  for (auto& entry : entries_) {
    if (!entry.case_name.empty() || !rule_applies(entry.rule, vector_case, recorded)) continue;
    if (matches(entry.expect, got)) {
      entry.used = true;
      return Verdict::expected;
    }
    verdict = Verdict::wrong;
  }
  return verdict;
}

bool Deviations::names(std::string_view case_name) const {
  return std::ranges::find(entries_, case_name, &Entry::case_name) != entries_.end();
}

std::vector<std::string> Deviations::unused() const {
  std::vector<std::string> labels;
  for (const auto& entry : entries_) {
    if (!entry.used) labels.push_back(entry.label);
  }
  return labels;
}

}  // namespace sms::conformance
