// A store of your own: three blocking functions, run on a pool. This one is a map under a lock; yours is your database.

#include <sms/sms.hpp>

#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace {

class MapStore final : public sms::BlockingIdempotencyStore {
 public:
  MapStore() : sms::BlockingIdempotencyStore(sms::thread_pool(2)) {}
  using sms::BlockingIdempotencyStore::finalize;
  using sms::BlockingIdempotencyStore::get;
  using sms::BlockingIdempotencyStore::reserve;

  std::optional<sms::IdempotencyRecord> get(const std::string& key, sms::WallTime now) override {
    const std::lock_guard lock(mutex_);
    const auto at = rows_.find(key);
    if (at == rows_.end() || at->second.expired(now)) return std::nullopt;
    return at->second.record;
  }

  // One atomic step: here the lock makes it one, in a database a single statement does.
  sms::ReserveResult reserve(const sms::ReserveRequest& request) override {
    const std::lock_guard lock(mutex_);
    const auto at = rows_.find(request.key);
    if (at != rows_.end() && !at->second.claimable(request)) return sms::Existing{at->second.record};
    sms::ReservedRecord reserved{request.fingerprint, request.reservation_id, request.now};
    rows_[request.key] = {reserved, request.reservation_id, std::nullopt};
    return sms::Reserved{request.reservation_id};
  }

  sms::FinalizeResult finalize(const sms::FinalizeRequest& request) override {
    const std::lock_guard lock(mutex_);
    const auto at = rows_.find(request.key);
    if (at == rows_.end() || at->second.owner != request.reservation_id) return sms::FinalizeResult::not_owner;
    at->second.record = sms::to_record(request.record);
    if (!std::holds_alternative<sms::UnknownRecord>(request.record)) at->second.expires_at = request.now + request.ttl;
    return sms::FinalizeResult::finalized;
  }

 private:
  struct Row {
    sms::IdempotencyRecord record;
    std::string owner;
    std::optional<sms::WallTime> expires_at;

    bool expired(sms::WallTime now) const { return expires_at && *expires_at <= now; }
    bool claimable(const sms::ReserveRequest& request) const {
      if (expired(request.now)) return true;
      const auto* rejected = std::get_if<sms::RejectedRecord>(&record);
      if (rejected != nullptr) return rejected->fingerprint == request.fingerprint;
      const auto* reserved = std::get_if<sms::ReservedRecord>(&record);
      return reserved != nullptr && reserved->reservation_id == request.reservation_id;
    }
  };

  std::mutex mutex_;
  std::map<std::string, Row> rows_;
};

}  // namespace

int main() {
  MapStore store;
  sms::ReserveRequest claim;
  claim.key = "order:123:shipped:v1";
  claim.fingerprint = "a";
  claim.reservation_id = "one";
  std::cout << std::holds_alternative<sms::Reserved>(store.reserve(claim)) << '\n';
  claim.reservation_id = "two";
  std::cout << std::holds_alternative<sms::Existing>(store.reserve(claim)) << '\n';
}
