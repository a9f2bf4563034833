#include "conformance/compare.hpp"
#include "conformance/deviations.hpp"
#include "conformance/kinds.hpp"
#include "conformance/skip.hpp"
#include "conformance/vector_file.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace json = boost::json;
using namespace sms::conformance;

constexpr std::string_view usage =
    "Usage: sms-sdk-conformance KIND FILE [--deviations FILE] [--strict] [--verbose]\n"
    "\n"
    "Runs each recorded case of a vector file through the library and compares the answers.\n"
    "\n"
    "  KIND               fingerprint, segments, validate, outcome, requests, records or redact\n"
    "  --deviations FILE  cases for which our contract decides otherwise, with what is answered instead\n"
    "  --strict           also runs the examples of deviations; a deviation that nothing uses is a failure\n"
    "  --verbose          names skipped and deviating cases, too\n"
    "\n"
    "Exit status: 0 nothing failed, 1 something failed, 2 wrong usage or unreadable file.\n";

struct Arguments {
  const Kind* kind = nullptr;
  std::string file;
  std::optional<std::string> deviations;
  bool strict = false;
  bool verbose = false;
};

std::optional<Arguments> parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  std::vector<std::string_view> plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--strict") {
      arguments.strict = true;
    } else if (words[i] == "--verbose") {
      arguments.verbose = true;
    } else if (words[i] == "--deviations" && i + 1 < words.size()) {
      arguments.deviations = words[++i];
    } else if (words[i].starts_with("-")) {
      return {};
    } else {
      plain.push_back(words[i]);
    }
  }
  if (plain.size() != 2) return {};
  const auto kinds = all_kinds();
  const auto kind = std::ranges::find(kinds, plain[0], &Kind::name);
  if (kind == kinds.end()) return {};
  arguments.kind = &*kind;
  arguments.file = plain[1];
  return arguments;
}

class Run {
 public:
  Run(const Kind& kind, bool verbose, Deviations deviations)
      : kind_(kind), verbose_(verbose), deviations_(std::move(deviations)) {}

  void add(const VectorCase& vector_case, const json::object& shared) {
    try {
      if (has_lone_surrogate(vector_case.input)) throw Skip("UTF-8 has no lone surrogates");
      const auto got = kind_.normalise(kind_.answer(vector_case, shared));
      judge(vector_case, kind_.normalise(vector_case.output), got);
    } catch (const Skip& skip) {
      ++skipped_;
      if (verbose_) std::cout << "SKIP " << vector_case.name << ": " << skip.what() << '\n';
    } catch (const std::exception& error) {
      fail(vector_case.name, std::string("stopped: ") + error.what());
    }
  }

  void check_deviations(const json::object& shared) {
    for (const auto& entry : deviations_.entries()) {
      if (!entry.example) continue;
      // A case that exists makes the example needless.
      if (entry.used) fail(entry.example->name, "is needless: a recorded case uses the deviation");
      Run example(kind_, verbose_, deviations_);
      example.add(*entry.example, shared);
      if (example.deviating_ != 1) fail(entry.example->name, "does not deviate");
    }
    for (const auto& entry : deviations_.entries()) {
      if (!entry.used && !entry.example) fail(entry.label, "is used by no case");
    }
  }

  bool finish() const {
    std::cout << passed_ << " passed, " << failed_ << " failed, " << skipped_ << " skipped, " << deviating_
              << " deviating\n";
    return failed_ == 0;
  }

 private:
  void fail(std::string_view what, std::string_view why) {
    ++failed_;
    std::cout << "FAIL " << what << "\n  " << why << '\n';
  }

  void judge(const VectorCase& vector_case, const json::value& recorded, const json::value& got) {
    if (!deviations_.names(vector_case.name)) {
      if (matches(recorded, got, OtherFields::refused)) {
        ++passed_;
        return;
      }
      if (has_lone_surrogate(recorded)) throw Skip("UTF-8 cannot say the recorded answer");
    }
    if (deviations_.judge(vector_case, recorded, got) == Deviations::Verdict::expected) {
      ++deviating_;
      if (verbose_) std::cout << "DEVIATES " << vector_case.name << '\n';
      return;
    }
    ++failed_;
    std::cout << "FAIL " << vector_case.name << "\n  input    " << json::serialize(vector_case.input) << "\n  expected "
              << json::serialize(recorded) << "\n  got      " << json::serialize(got) << '\n';
  }

  const Kind& kind_;
  bool verbose_;
  Deviations deviations_;
  std::size_t passed_ = 0, failed_ = 0, skipped_ = 0, deviating_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  if (words.size() == 1 && words[0] == "--help") {
    std::cout << usage;
    return 0;
  }
  const auto arguments = parse(words);
  if (!arguments) {
    std::cerr << usage;
    return 2;
  }
  try {
    const auto file = read_vectors(arguments->file);
    const Kind& kind = *arguments->kind;
    Run run(kind, arguments->verbose,
            arguments->deviations ? Deviations(*arguments->deviations, kind.name) : Deviations());
    for (const auto& vector_case : file.cases) run.add(vector_case, file.shared);
    if (arguments->strict) run.check_deviations(file.shared);
    return run.finish() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "sms-sdk-conformance: " << error.what() << '\n';
    return 2;
  }
}
