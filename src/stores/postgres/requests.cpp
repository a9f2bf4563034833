#include "core/store_rules.hpp"
#include "stores/postgres/operation.hpp"

#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

class Get final : public PgReply<std::optional<IdempotencyRecord>> {
 public:
  Get(std::string asked, Callback<std::optional<IdempotencyRecord>> done)
      : PgReply(std::move(asked), "get", std::move(done)) {}
  PgStatement statement() const override { return PgStatement::look; }
  std::vector<std::optional<std::string>> values() const override { return {}; }
  bool take(const PgAnswer* found) override {
    if (found == nullptr) return false;
    if (!found->has_row()) return answer(std::nullopt);
    const auto row = found->row();
    return answer(row.expired(found->now) ? std::nullopt : std::optional(record_of(row)));
  }
};

class Reserve final : public PgReply<ReserveResult> {
 public:
  Reserve(ReserveRequest request, Callback<ReserveResult> done)
      : PgReply(request.key, "reserve", std::move(done)), request_(std::move(request)) {}
  PgStatement statement() const override { return PgStatement::reserve; }
  std::vector<std::optional<std::string>> values() const override {
    return {request_.fingerprint, request_.reservation_id};
  }
  milliseconds stale_reservation() const override { return request_.stale_reservation; }
  bool take(const PgAnswer* found) override {
    // Left out: the statement came after its deadline.
    if (found == nullptr) return false;
    const auto row = found->row();
    if (row.state == RecordState::reserved && row.reservation_id == request_.reservation_id) {
      return answer(Reserved{request_.reservation_id});
    }
    auto record = record_of(row);
    // What could have been claimed was not, because the deadline had passed on the server.
    if (row.expired(found->now) || claimable(record, request_)) return false;
    const bool reserved = row.state == RecordState::reserved;
    return answer(Existing{std::move(record), reserved ? age_of(row, found->now) : milliseconds(0)});
  }

 private:
  ReserveRequest request_;
};

}  // namespace

std::unique_ptr<PgOperation> pg_get(std::string key, Callback<std::optional<IdempotencyRecord>> done) {
  return std::make_unique<Get>(std::move(key), std::move(done));
}
std::unique_ptr<PgOperation> pg_reserve(ReserveRequest request, Callback<ReserveResult> done) {
  return std::make_unique<Reserve>(std::move(request), std::move(done));
}

}  // namespace sms::detail
