#include "stores/postgres/failure.hpp"

namespace sms::detail {

// https://www.postgresql.org/docs/15/errcodes-appendix.html
PgFault fault_of(std::string_view sqlstate) {
  if (sqlstate == "55P03" || sqlstate == "57014") return PgFault::locked;
  if (sqlstate.starts_with("40")) return PgFault::conflict;
  if (sqlstate.starts_with("22") || sqlstate.starts_with("23") || sqlstate.starts_with("54")) return PgFault::poisoned;
  if (sqlstate.empty() || sqlstate.starts_with("08") || sqlstate.starts_with("57P") || sqlstate.starts_with("25") ||
      sqlstate.starts_with("42") || sqlstate.starts_with("28") || sqlstate.starts_with("55") ||
      sqlstate.starts_with("3D")) {
    return PgFault::connection;
  }
  return PgFault::server;
}

}  // namespace sms::detail
