#include "core/store_rules.hpp"
#include "stores/postgres/operation.hpp"

#include <utility>

namespace sms::detail {
namespace {

/// Looks, decides, and writes only where the row is still as it was seen; else looks again.
class Settle final : public PgReply<SettleResult> {
 public:
  Settle(FinalizeRequest request, Callback<SettleResult> done)
      : PgReply(request.key, "settle", std::move(done)),
        request_(std::move(request)),
        values_(final_values(request_)) {}

  PgStatement statement() const override { return next_; }
  std::vector<std::optional<std::string>> values() const override {
    if (next_ == PgStatement::look) return {};
    auto values = values_;
    if (next_ == PgStatement::settle_row) values.emplace_back(version_);
    return values;
  }
  bool take(const PgAnswer* found) override {
    const auto asked = std::exchange(next_, PgStatement::look);
    if (found == nullptr) return false;
    if (asked != PgStatement::look) return found->done && answer(SettleResult::settled);
    std::optional<IdempotencyRecord> there;
    bool ours = false;
    if (found->has_row()) {
      const auto row = found->row();
      if (!row.expired(found->now)) there = record_of(row);
      ours = row.reservation_id == request_.reservation_id;
      version_ = row.version;
    }
    switch (settle_action(there ? &*there : nullptr, there && ours, request_.record)) {
      case SettleAction::write:
        next_ = found->has_row() ? PgStatement::settle_row : PgStatement::settle_new;
        return false;
      case SettleAction::report_duplicate:
        return answer(SettleResult::duplicate_detected);
      case SettleAction::keep:
        break;
    }
    return answer(SettleResult::kept);
  }

 private:
  FinalizeRequest request_;
  std::vector<std::optional<std::string>> values_;
  PgStatement next_ = PgStatement::look;
  std::string version_;
};

}  // namespace

std::unique_ptr<PgOperation> pg_settle(FinalizeRequest request, Callback<SettleResult> done) {
  return std::make_unique<Settle>(std::move(request), std::move(done));
}

}  // namespace sms::detail
