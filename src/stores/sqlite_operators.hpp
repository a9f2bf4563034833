#pragma once

#include <sms/operator_store.hpp>

#include "stores/sqlite_rows.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// What operators do, inside a transaction that the caller began. Each change writes its audit row with it.
class SqliteOperators {
 public:
  explicit SqliteOperators(SqliteDatabase& database) : database_(database), rows_(database) {}

  ListPage list(const ListRequest& request);
  std::optional<KeyView> show(const std::string& key, WallTime now);
  OperatorResult resolve(const ResolveRequest& request, const std::string& new_id);
  OperatorResult release(const ReleaseRequest& request);
  std::size_t purge_expired(std::size_t limit, WallTime now);
  StoreStats stats(WallTime now);
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key);

 private:
  KeyView view(const SqliteRow& row, WallTime now, const BootTime& boot, std::chrono::milliseconds stale_after) const;
  bool id_in_use(const ResolveRequest& request);
  void write_audit(const SqliteRow& before, const OperatorNote& note, std::string_view action, WallTime now);

  SqliteDatabase& database_;
  SqliteRows rows_;
};

}  // namespace sms::detail
