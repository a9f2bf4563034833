#pragma once

#include <sms/clock.hpp>
#include <sms/expected.hpp>

#include "stores/redis/resp.hpp"
#include "stores/redis/scripts.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sms::detail {

class RedisNode;

/// A script to run on one key, until it is answered or its time is over. Every script may be repeated.
struct RedisRequest {
  const char* operation = "";
  const RedisScript* script = nullptr;
  std::string name;                    ///< KEYS[1]
  std::string nonce;                   ///< ARGV[1]
  std::vector<std::string> arguments;  ///< From ARGV[3].
  BootClock::time_point deadline;
  bool writes = true;
  std::chrono::milliseconds stale_reservation{0};
  UniqueFunction<void(Expected<RespValue>)> done;

  std::atomic<std::size_t>* counted_by = nullptr;  ///< How many are not answered.
  RedisNode* under_way = nullptr;                  ///< Where it was sent to and not answered.
  std::string fault;                               ///< Why it was not answered when it was sent last.
  bool whole_script = false;                       ///< The server does not know the script by its hash.
  bool ask = false;                                ///< Sent to where a cluster is moving the key to.

  bool answered() const noexcept { return !done; }
  void answer(Expected<RespValue> result) {
    under_way = nullptr;
    if (counted_by != nullptr) --*counted_by;
    auto callback = std::exchange(done, nullptr);
    callback(std::move(result));
  }
  void fail(const std::string& reason) { answer(StoreUnavailableError(operation, reason)); }
};
using RedisRequestPtr = std::shared_ptr<RedisRequest>;

}  // namespace sms::detail
