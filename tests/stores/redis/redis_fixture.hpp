#pragma once

#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/redis.hpp>

#include "servers/cutting_proxy.hpp"
#include "servers/redis_server.hpp"
#include "testing/store_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

namespace sms::tests {

using namespace std::chrono_literals;
using testing::accepted;
using testing::finalize_request;
using ::testing::HasSubstr;
using testing::owner_1;
using testing::owner_2;
using testing::rejected;
using testing::reserve_request;
using testing::StoreProbe;
using testing::unknown;

inline std::string url_of(std::uint16_t port, const std::string& rest = {}) {
  return "redis://127.0.0.1:" + std::to_string(port) + rest;
}
inline std::shared_ptr<IdempotencyStore> open_redis(const std::string& url) {
  return redis_idempotency_store(redis_options(url));
}
/// Calls of a store that wait for their answers.
inline StoreProbe probe(const std::shared_ptr<IdempotencyStore>& store) {
  return StoreProbe([&] { return store; });
}

inline std::future<Expected<ReserveResult>> start_reserve(IdempotencyStore& store, const ReserveRequest& request) {
  auto promise = std::make_shared<std::promise<Expected<ReserveResult>>>();
  auto answer = promise->get_future();
  store.reserve(request, [promise](Expected<ReserveResult> result) { promise->set_value(std::move(result)); });
  return answer;
}

/// Why a claim is not answered; "answered" where it is.
inline std::string why_unavailable(const std::shared_ptr<IdempotencyStore>& store, const std::string& key = "why") {
  const auto answer = start_reserve(*store, reserve_request(key, owner_1)).get();
  return answer ? "answered" : answer.error().what();
}

inline std::string finding(const std::shared_ptr<IdempotencyStore>& store, const std::string& topic) {
  for (const auto& one : store->maintenance()->examine()) {
    if (one.topic != topic) continue;
    constexpr const char* levels[] = {"fine: ", "warning: ", "problem: "};
    return levels[static_cast<int>(one.level)] + one.text;
  }
  return "none";
}

inline void wait_until(const std::function<bool()>& holds) {
  for (int tries = 0; tries < 3'000 && !holds(); ++tries) std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(holds());
}

}  // namespace sms::tests
