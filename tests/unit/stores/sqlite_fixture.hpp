#pragma once

#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/stores/sqlite.hpp>

#include "support/temporary_folder.hpp"
#include "testing/store_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sms::tests {

using namespace std::chrono_literals;

/// A connection as any other program would have it.
class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path) {
    sqlite3* opened = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
    database_.reset(opened);
  }
  /// The result code; rows are not looked at.
  int execute(const std::string& sql) { return sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr); }
  /// Every row as its values with `|` between them; null is empty.
  std::vector<std::string> rows(const std::string& sql) {
    std::vector<std::string> found;
    const auto collect = [](void* out, int columns, char** values, char**) {
      std::string row;
      for (int i = 0; i < columns; ++i) {
        if (i > 0) row += '|';
        if (values[i] != nullptr) row += values[i];
      }
      static_cast<std::vector<std::string>*>(out)->push_back(row);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database_.get(), sql.c_str(), collect, &found, nullptr), SQLITE_OK) << sql;
    return found;
  }
  std::string value(const std::string& sql) {
    const auto found = rows(sql);
    return found.size() == 1 ? found.front() : "not one row";
  }
  sqlite3* get() { return database_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Closer> database_;
};

/// The answer of a call that was started and not waited for.
template <class T>
class Pending {
 public:
  Callback<T> callback() {
    return [promise = promise_](Expected<T> result) { promise->set_value(std::move(result)); };
  }
  bool answered() const { return answer_.wait_for(0s) == std::future_status::ready; }
  Expected<T> get() const {
    EXPECT_EQ(answer_.wait_for(30s), std::future_status::ready);
    return answer_.get();
  }

 private:
  std::shared_ptr<std::promise<Expected<T>>> promise_ = std::make_shared<std::promise<Expected<T>>>();
  std::shared_future<Expected<T>> answer_ = promise_->get_future().share();
};

inline const std::string owner_1 = testing::owner_1;
inline const std::string owner_2 = testing::owner_2;
using testing::accepted;
using testing::finalize_request;
using testing::rejected;
using testing::reserve_request;
using testing::unknown;

class SqliteTest : public ::testing::Test {
 protected:
  std::shared_ptr<IdempotencyStore> open(std::chrono::milliseconds busy_timeout = 5s) {
    SqliteOptions options;
    options.path = path;
    options.busy_timeout = busy_timeout;
    return sqlite_idempotency_store(options);
  }

  static Pending<ReserveResult> reserve(IdempotencyStore& store, const ReserveRequest& request) {
    Pending<ReserveResult> pending;
    store.reserve(request, pending.callback());
    return pending;
  }
  static Pending<FinalizeResult> finalize(IdempotencyStore& store, const FinalizeRequest& request) {
    Pending<FinalizeResult> pending;
    store.finalize(request, pending.callback());
    return pending;
  }
  static Expected<std::optional<IdempotencyRecord>> get(IdempotencyStore& store, const std::string& key,
                                                        WallTime now = testing::StoreProbe::now()) {
    Pending<std::optional<IdempotencyRecord>> pending;
    store.get(key, now, pending.callback());
    return pending.get();
  }
  static bool claims(IdempotencyStore& store, const ReserveRequest& request) {
    const auto answer = reserve(store, request).get();
    return answer && std::holds_alternative<Reserved>(*answer);
  }
  static bool claims(IdempotencyStore& store, const std::string& key, const std::string& owner) {
    return claims(store, reserve_request(key, owner));
  }
  static bool finalizes(IdempotencyStore& store, const FinalizeRequest& request) {
    const auto answer = finalize(store, request).get();
    return answer && *answer == FinalizeResult::finalized;
  }
  static std::string why_not_opened(const SqliteOptions& options) {
    try {
      sqlite_idempotency_store(options);
    } catch (const StoreUnavailableError& error) {
      return error.what();
    }
    return "opened";
  }
  std::string why_not_opened() {
    SqliteOptions options;
    options.path = path;
    return why_not_opened(options);
  }

  TemporaryFolder folder;
  std::string path = folder.file("keys.db");
};

}  // namespace sms::tests
