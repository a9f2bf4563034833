#include "settlement_file.hpp"

#include "csv.hpp"
#include "usage_error.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace sms::cli {

namespace {

constexpr std::size_t shown_faults = 20;

/// Collects faults, so that a file is corrected in one go.
class Faults {
 public:
  void add(std::size_t line, std::string_view column, std::string_view what) {
    ++count_;
    if (count_ > shown_faults) return;
    text_ += (text_.empty() ? "line " : "\n  line ") + std::to_string(line);
    if (!column.empty()) text_ += ", column " + std::string(column);
    text_ += ": " + std::string(what);
  }
  void raise() const {
    if (count_ == 0) return;
    const std::string more =
        count_ > shown_faults ? "\n  and " + std::to_string(count_ - shown_faults) + " more" : std::string();
    throw UsageError(text_ + more + "\nnothing was changed");
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

/// Where the columns stand that mean something.
class Header {
 public:
  Header(const CsvRow& row, Faults& faults) : size_(row.fields.size()) {
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (!places_.emplace(row.fields[i], i).second) faults.add(row.line, row.fields[i], "stands twice");
    }
    for (const char* needed : {"key", "token", "action"}) {
      if (!places_.contains(needed)) {
        faults.add(row.line, needed, "is missing: the first line names the columns, separated by commas");
      }
    }
  }

  std::size_t size() const { return size_; }
  std::string value(const CsvRow& row, const std::string& column) const {
    const auto place = places_.find(column);
    return place == places_.end() ? std::string() : row.fields.at(place->second);
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::size_t size_;
};

std::optional<Settlement::Action> parse_action(std::string_view word) {
  if (word.empty()) return Settlement::Action::none;
  if (word == "accepted") return Settlement::Action::accepted;
  if (word == "release") return Settlement::Action::release;
  return std::nullopt;
}

Settlement read_settlement(const CsvRow& row, const Header& header, Faults& faults) {
  Settlement one;
  one.key = header.value(row, "key");
  one.token = header.value(row, "token");
  one.provider = header.value(row, "provider");
  one.provider_id = header.value(row, "provider_id");
  one.why = header.value(row, "why");
  const auto action = parse_action(header.value(row, "action"));
  if (!action) faults.add(row.line, "action", "must be accepted, release, or empty to leave the key alone");
  one.action = action.value_or(Settlement::Action::none);
  if (one.action == Settlement::Action::none) return one;
  if (one.key.empty()) faults.add(row.line, "key", "must not be empty");
  if (one.token.empty()) faults.add(row.line, "token", "must not be empty: `sms-sdk keys export` prints it");
  if (one.action == Settlement::Action::accepted && one.provider.empty()) {
    faults.add(row.line, "provider", "must name who accepted it");
  }
  if (one.action == Settlement::Action::accepted && one.provider_id.empty()) {
    faults.add(row.line, "provider_id", "must be the message ID of the provider");
  }
  if (one.action == Settlement::Action::release && !one.provider_id.empty()) {
    faults.add(row.line, "provider_id", "must be empty: a message that exists is accepted, not released");
  }
  return one;
}

}  // namespace

SettlementFile read_settlements(std::string_view csv, const std::string& why) {
  CsvReader reader(csv);
  Faults faults;
  const auto first = reader.next();
  if (!first) throw UsageError("the file is empty: its first line names the columns");
  const Header header(*first, faults);
  faults.raise();
  SettlementFile file;
  std::map<std::string, std::size_t> seen;
  while (const auto row = reader.next()) {
    if (row->fields.size() != header.size()) {
      faults.add(
          row->line, {},
          "has " + std::to_string(row->fields.size()) + " fields, the first line has " + std::to_string(header.size()));
      continue;
    }
    Settlement one = read_settlement(*row, header, faults);
    if (one.why.empty()) one.why = why;
    if (one.action != Settlement::Action::none) {
      const auto [at, is_new] = seen.try_emplace(one.key, row->line);
      if (!is_new) faults.add(row->line, "key", "stands in line " + std::to_string(at->second) + ", too");
    }
    file.settlements.push_back(std::move(one));
    file.lines.push_back(row->line);
  }
  faults.raise();
  return file;
}

}  // namespace sms::cli
