#pragma once

#include <sms/clock.hpp>

#include "stores/postgres/link.hpp"

#include <map>
#include <optional>
#include <string>

namespace sms::detail {

/// A server as it was found at the other end of a connection.
struct PgServer {
  std::int64_t version = 0;
  bool in_recovery = false;
  bool read_only = false;
  std::string encoding, synchronous_commit, isolation;
  bool has_tables = false;
  std::map<std::string, std::string> values;  ///< Of sms_store.
  std::string timeline;                       ///< Eight hex digits; empty where the server does not tell.
  std::string history;                        ///< Of which cluster and timeline; empty likewise.
  WallTime time{};
  BootClock::time_point seen{};  ///< Not before `time` was taken.

  std::optional<std::string> value(const std::string& name) const;
  std::string identity() const { return value("identity").value_or(std::string()); }
  bool moved() const;  ///< Its history is another one than the store was set up on.
};

/// Throws `PgFailure`.
PgServer look_at(PgLink& link);
/// Throws `PgRefusal` for a server that this store may not use, histories apart.
void check_server(const PgServer& server);

inline constexpr std::string_view history_name = "timeline";

}  // namespace sms::detail
