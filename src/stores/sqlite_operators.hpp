#pragma once

#include <sms/operator_store.hpp>

#include "stores/sqlite_rows.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// What operators ask; each is one statement, so that no transaction is needed.
ListPage list_keys(SqliteDatabase& database, const ListRequest& request);
std::optional<KeyView> show_key(SqliteDatabase& database, const std::string& key, WallTime now);
StoreStats count_keys(SqliteDatabase& database, WallTime now);
std::vector<AuditRow> read_audit(SqliteDatabase& database, std::size_t limit, const std::optional<std::string>& key);

/// What operators change, inside a transaction that the caller began: each change writes its audit row with it.
class SqliteOperators {
 public:
  explicit SqliteOperators(SqliteDatabase& database) : database_(database) {}

  OperatorResult resolve(const ResolveRequest& request);
  OperatorResult release(const ReleaseRequest& request);
  std::size_t purge_expired(std::size_t limit, WallTime now);

 private:
  bool id_in_use(const ResolveRequest& request);
  void write_audit(const KeyView& before, const OperatorNote& note, std::string_view action, WallTime now);

  SqliteDatabase& database_;
};

}  // namespace sms::detail
