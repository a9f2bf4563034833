#pragma once

#include <sms/error.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/dynamodb.hpp>

#include "servers/dynamo_stub.hpp"
#include "stores/clock_offset.hpp"
#include "stores/dynamodb/stub_options.hpp"
#include "testing/store_operator_requests.hpp"
#include "testing/store_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace sms::tests {

using namespace std::chrono_literals;
using testing::accepted;
using testing::finalize_request;
using testing::owner_1;
using testing::owner_2;
using testing::rejected;
using testing::reserve_request;
using testing::StoreProbe;
using testing::unknown;

class DynamoTest : public ::testing::Test {
 protected:
  /// A client of the table, which it makes.
  std::shared_ptr<IdempotencyStore> open(DynamodbOptions options) {
    auto store = dynamodb_idempotency_store(std::move(options));
    store->maintenance()->migrate();
    return store;
  }
  std::shared_ptr<IdempotencyStore> open() { return open(stub_options(stub)); }
  static StoreProbe probe(std::shared_ptr<IdempotencyStore> store) {
    return StoreProbe([store] { return store; });
  }

  /// Text or number of an attribute; empty where it is not there.
  std::string attribute(const std::string& key, const std::string& name) const {
    const auto item = stub.item("keys", key);
    const auto* value = item ? item->if_contains(name) : nullptr;
    return value == nullptr ? "" : std::string(value->as_object().begin()->value().as_string());
  }
  /// Waits for something that another thread does.
  template <class Condition>
  static bool eventually(Condition holds) {
    for (const auto until = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < until;) {
      if (holds()) return true;
      std::this_thread::sleep_for(2ms);
    }
    return false;
  }
  /// Why a call fails; empty when it does not.
  template <class Call>
  static std::string why_not(Call call) {
    try {
      call();
    } catch (const StoreUnavailableError& error) {
      return error.what();
    }
    return {};
  }
  void fault(DynamoFault::Kind kind, const std::string& part = {}, int times = 1,
             std::chrono::milliseconds delay = 0ms) {
    DynamoFault made;
    made.kind = kind;
    made.part = part;
    made.times = times;
    made.delay = delay;
    stub.add_fault(made);
  }
  void refuse(const std::string& error, const std::string& part, int times = 1) {
    DynamoFault made;
    made.kind = DynamoFault::Kind::error;
    made.part = part;
    made.times = times;
    made.error = error;
    made.status = 400;
    stub.add_fault(made);
  }

  // Words that only these requests have in their bodies.
  static constexpr auto of_claim = ":now REMOVE #record";
  static constexpr auto of_final = ":new_record";
  static constexpr auto of_mark = "#record = :record";

  using Kind = DynamoFault::Kind;
  DynamoStub stub;
};

}  // namespace sms::tests
