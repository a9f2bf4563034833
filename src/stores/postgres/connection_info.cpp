#include "stores/postgres/connection_info.hpp"

#include <sms/error.hpp>

#include <libpq-fe.h>

#include <algorithm>
#include <memory>

namespace sms::detail {

PgConnectionInfo parse_connection_info(const std::string& conninfo, std::chrono::milliseconds operation_timeout) {
  char* fault = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
      PQconninfoParse(conninfo.c_str(), &fault), PQconninfoFree);
  PQfreemem(fault);  // It may repeat a password.
  if (!options) throw ConfigurationError("conninfo of the PostgreSQL store cannot be read by libpq");
  PgConnectionInfo info;
  for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val != nullptr) info.emplace_back(option->keyword, option->val);
  }
  const auto set_unless_given = [&](const std::string& keyword, std::string value) {
    const bool given = std::ranges::any_of(info, [&](const auto& pair) { return pair.first == keyword; });
    if (!given) info.emplace_back(keyword, std::move(value));
  };
  std::erase_if(info, [](const auto& pair) { return pair.first == "client_encoding"; });
  info.emplace_back("client_encoding", "UTF8");
  set_unless_given("fallback_application_name", "sms-sdk");
  set_unless_given("keepalives_idle", "15");
  set_unless_given("keepalives_interval", "5");
  set_unless_given("keepalives_count", "3");
  set_unless_given("tcp_user_timeout", std::to_string(operation_timeout.count()));
  return info;
}

}  // namespace sms::detail
