#pragma once

#include <sms/idempotency.hpp>
#include <sms/operator_store.hpp>
#include <sms/testing/store_contract.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::testing {

/// A store under check: its calls as plain functions, and the faults found so far.
class StoreProbe {
 public:
  explicit StoreProbe(const StoreFactory& make) : store_(make()) {}

  IdempotencyStore& store() { return *store_; }
  OperatorStore& operators() { return *store_->operators(); }

  /// What the clock of a caller says. Time passes by waiting, so that a store may have a clock of its own.
  static WallTime now();
  static void wait(std::chrono::milliseconds duration);

  void expect(bool holds, std::string_view otherwise) {
    if (!holds) faults_.emplace_back(otherwise);
  }
  std::vector<std::string> take_faults();

  // Each waits for its answer. Throws what the store answers instead of one.
  std::optional<IdempotencyRecord> get(const std::string& key);
  ReserveResult reserve(const ReserveRequest& request);
  FinalizeResult finalize(const FinalizeRequest& request);
  MarkResult mark(const MarkRequest& request);
  SettleResult settle(const FinalizeRequest& request);

  // The same, shorter.
  bool claims(const std::string& key, const std::string& reservation_id);
  bool claims(const ReserveRequest& request);
  /// Claims the key and finalizes it.
  void store_final(const std::string& key, const std::string& reservation_id, FinalIdempotencyRecord record,
                   std::chrono::milliseconds ttl = std::chrono::hours(1));
  /// Expects that the key has this very record.
  void expect_record(const std::string& key, const FinalIdempotencyRecord& record, std::string_view otherwise);
  /// Expects that the key is reserved under this ID.
  void expect_reserved(const std::string& key, const std::string& reservation_id, std::string_view otherwise);
  std::string token(const std::string& key);

 private:
  std::shared_ptr<IdempotencyStore> store_;
  std::vector<std::string> faults_;
  std::shared_ptr<std::atomic<int>> surplus_answers_ = std::make_shared<std::atomic<int>>(0);
};

inline const std::string fingerprint_a(64, 'a');
inline const std::string fingerprint_b(64, 'b');
inline const std::string owner_1 = "00000000000000000000000000000001";
inline const std::string owner_2 = "00000000000000000000000000000002";

ReserveRequest reserve_request(const std::string& key, const std::string& reservation_id,
                               const std::string& fingerprint = fingerprint_a);
FinalizeRequest finalize_request(const std::string& key, const std::string& reservation_id,
                                 FinalIdempotencyRecord record, std::chrono::milliseconds ttl = std::chrono::hours(1));
FinalIdempotencyRecord accepted(const std::string& provider_id = "SM1", const std::string& provider = "twilio");
FinalIdempotencyRecord rejected(const std::string& fingerprint = fingerprint_a);
FinalIdempotencyRecord unknown();

}  // namespace sms::testing
