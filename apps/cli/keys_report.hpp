#pragma once

#include <sms/operator_store.hpp>

#include "console.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sms::cli {

/// The moment before which a release is refused and a look-up at the provider proves nothing: until then the sender's
/// request may still arrive. Absent for a key that is not to be released, and where its age is not known.
std::optional<WallTime> releasable_at(const KeyView& view, std::chrono::milliseconds settle);

/// `2026-11-30T12:00:00Z`
std::string time_text(WallTime time);

void print_key(std::ostream& out, const KeyView& view, std::chrono::milliseconds settle);

/// Each as text or as one JSON object.
void report_key(Console& console, const KeyView& view, std::chrono::milliseconds settle, bool json);
/// One JSON object a key, without a line break.
std::string key_json(const KeyView& view, std::chrono::milliseconds settle);
void report_keys(Console& console, const ListPage& page, std::chrono::milliseconds settle, bool json);
/// A word for programs, and a sentence for people.
struct OperatorResultText {
  std::string_view code, text;
};
OperatorResultText text_of(OperatorResult result);
void report_operator_result(Console& console, OperatorResult result, bool json);
void report_purged(Console& console, std::size_t count, bool json);
void report_stats(Console& console, const StoreStats& stats, const std::string& identity, WallTime now, bool json);
void report_audit(Console& console, const std::vector<AuditRow>& rows, bool json);

}  // namespace sms::cli
