#pragma once

#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/postgres.hpp>

#include "servers/postgres_server.hpp"
#include "testing/store_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

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

using Claim = std::future<Expected<ReserveResult>>;

/// A claim that is started and not waited for.
inline Claim start_claim(IdempotencyStore& store, const ReserveRequest& request) {
  auto promise = std::make_shared<std::promise<Expected<ReserveResult>>>();
  auto answer = promise->get_future();
  store.reserve(request, [promise](Expected<ReserveResult> result) { promise->set_value(std::move(result)); });
  return answer;
}
inline Claim start_claim(IdempotencyStore& store, const std::string& key, const std::string& owner = owner_1) {
  return start_claim(store, reserve_request(key, owner));
}
inline bool won(const Expected<ReserveResult>& answer) { return answer && std::holds_alternative<Reserved>(*answer); }
/// Why a claim is not answered; "answered" where it is.
inline std::string why_unavailable(IdempotencyStore& store, const std::string& key = "why") {
  const auto answer = start_claim(store, key).get();
  return answer ? "answered" : answer.error().what();
}

/// A database of its own on the server that the program's tests share.
class PostgresTest : public ::testing::Test {
 protected:
  std::shared_ptr<IdempotencyStore> open(std::chrono::milliseconds operation_timeout = 4s) {
    return open_url(server.url(database), operation_timeout);
  }
  static std::shared_ptr<IdempotencyStore> open_url(const std::string& url,
                                                    std::chrono::milliseconds operation_timeout = 4s) {
    auto options = postgres_options(url);
    options.operation_timeout = operation_timeout;
    return postgres_idempotency_store(options);
  }
  /// Calls of a store that wait for their answers.
  static StoreProbe probe(const std::shared_ptr<IdempotencyStore>& store) {
    return StoreProbe([&] { return store; });
  }
  PostgresSession session() const { return server.session(database); }
  std::string row(const std::string& columns, const std::string& key) const {
    return session().value("select " + columns + " from sms_idempotency where key = '" + key + "'");
  }
  std::string count_of(const std::string& condition) const {
    return session().value("select count(*) from sms_idempotency where " + condition);
  }
  static std::string finding(IdempotencyStore& store, const std::string& topic) {
    for (const auto& one : store.maintenance()->examine()) {
      constexpr const char* levels[] = {"fine: ", "warning: ", "problem: "};
      if (one.topic == topic) return levels[static_cast<int>(one.level)] + one.text;
    }
    return "none";
  }
  static void wait_until(const std::function<bool()>& holds) {
    for (int tries = 0; tries < 3'000 && !holds(); ++tries) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(holds());
  }
  void wait_for_lock_waiter() {
    wait_until([&] {
      return session().value("select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'") == "t";
    });
  }

  PostgresServer& server = PostgresServer::shared();
  std::string database = server.new_database();
};

}  // namespace sms::tests
