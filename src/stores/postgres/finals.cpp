#include "stores/postgres/operation.hpp"
#include "stores/postgres/safe_json.hpp"

#include <utility>

namespace sms::detail {
namespace {

class Finalize final : public PgReply<FinalizeResult> {
 public:
  Finalize(FinalizeRequest request, Callback<FinalizeResult> done)
      : PgReply(request.key, "finalize", std::move(done)),
        request_(std::move(request)),
        values_(final_values(request_)) {}
  PgStatement statement() const override { return PgStatement::finalize; }
  std::vector<std::optional<std::string>> values() const override { return values_; }
  bool take(const PgAnswer* found) override {
    if (found == nullptr) return false;
    if (found->done || found->already) return answer(FinalizeResult::finalized);
    if (found->has_row()) {
      // The statement saw the row as it was before another one changed it: look again.
      const auto row = found->row();
      if (row.state == RecordState::reserved && row.reservation_id == request_.reservation_id) return false;
    }
    return answer(FinalizeResult::not_owner);
  }

 private:
  FinalizeRequest request_;
  std::vector<std::optional<std::string>> values_;
};

class Mark final : public PgReply<MarkResult> {
 public:
  Mark(MarkRequest request, Callback<MarkResult> done)
      : PgReply(request.key, "mark", std::move(done)), request_(std::move(request)) {}
  PgStatement statement() const override { return PgStatement::mark; }
  std::vector<std::optional<std::string>> values() const override {
    return {request_.reservation_id, safe_json(mark_json(request_.posting))};
  }
  bool take(const PgAnswer* found) override {
    if (found == nullptr) return false;
    return answer(found->done ? MarkResult::marked : MarkResult::not_owner);
  }

 private:
  MarkRequest request_;
};

}  // namespace

std::vector<std::optional<std::string>> final_values(const FinalizeRequest& request) {
  const auto* accepted = std::get_if<AcceptedRecord>(&request.record);
  std::optional<std::string> provider_id, send_at;
  if (accepted != nullptr) provider_id = safe_text(accepted->result.provider_id);
  if (request.send_at) send_at = std::to_string(in_ms(*request.send_at));
  return {request.reservation_id,
          fingerprint_of(request.record),
          std::string(to_string(state_of(request.record))),
          safe_json(to_json(request.record)),
          std::to_string(request.ttl.count()),
          send_at,
          provider_id};
}

std::unique_ptr<PgOperation> pg_finalize(FinalizeRequest request, Callback<FinalizeResult> done) {
  return std::make_unique<Finalize>(std::move(request), std::move(done));
}
std::unique_ptr<PgOperation> pg_mark(MarkRequest request, Callback<MarkResult> done) {
  return std::make_unique<Mark>(std::move(request), std::move(done));
}

}  // namespace sms::detail
