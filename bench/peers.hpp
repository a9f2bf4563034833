#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sms::bench {

/// Transactions a second of pgbench with a script of its own.
struct PgbenchLoad {
  std::string folder;    ///< For the script.
  std::string database;  ///< As libpq's environment cannot say it: host, port and name.
  std::string host;
  int port = 0;
  std::string script;
  int clients = 16;
  int seconds = 3;
};
double pgbench_rate(const PgbenchLoad& load);

/// Requests a second of redis-benchmark with one command; `__rand_int__` in it is another number each time.
double redis_benchmark_rate(std::uint16_t port, std::size_t clients, std::size_t pipeline, std::size_t requests,
                            const std::vector<std::string>& command);

}  // namespace sms::bench
