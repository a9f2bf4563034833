#pragma once

#include <sms/bulk_settle.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sms::cli {

/// A file that says what is to become of keys: what `keys export` printed, with the column `action` filled in.
struct SettlementFile {
  std::vector<Settlement> settlements;
  std::vector<std::size_t> lines;  ///< Where each of them stands.
};

/// Columns `key`, `token`, `action` (accepted, release, or empty: leave alone), and where they are needed `provider`,
/// `provider_id`, `why`, in any order; others are ignored. `why` stands for lines that give no reason. Throws
/// `UsageError` that names line and column of every fault.
SettlementFile read_settlements(std::string_view csv, const std::string& why);

}  // namespace sms::cli
