#include "testing/store_probe.hpp"

#include <sms/error.hpp>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sms::testing {
namespace {

using std::chrono::milliseconds;

/// The answer of one call. Counts further answers of the same call.
template <class T, class Start>
T wait_for(std::shared_ptr<std::atomic<int>> surplus, Start start) {
  struct Call {
    std::promise<Expected<T>> promise;
    std::atomic<bool> answered{false};
  };
  auto call = std::make_shared<Call>();
  auto answer = call->promise.get_future();
  start(Callback<T>([call, surplus = std::move(surplus)](Expected<T> result) {
    if (call->answered.exchange(true)) {
      ++*surplus;
    } else {
      call->promise.set_value(std::move(result));
    }
  }));
  if (answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
    throw std::runtime_error("the store did not answer within a minute");
  }
  return answer.get().value();
}

}  // namespace

WallTime StoreProbe::now() { return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()); }

void StoreProbe::wait(milliseconds duration) { std::this_thread::sleep_for(duration); }

std::optional<IdempotencyRecord> StoreProbe::get(const std::string& key) {
  using Answer = std::optional<IdempotencyRecord>;
  return wait_for<Answer>(surplus_answers_, [&](Callback<Answer> done) { store_->get(key, now(), std::move(done)); });
}

ReserveResult StoreProbe::reserve(const ReserveRequest& request) {
  return wait_for<ReserveResult>(surplus_answers_,
                                 [&](Callback<ReserveResult> done) { store_->reserve(request, std::move(done)); });
}

FinalizeResult StoreProbe::finalize(const FinalizeRequest& request) {
  return wait_for<FinalizeResult>(surplus_answers_,
                                  [&](Callback<FinalizeResult> done) { store_->finalize(request, std::move(done)); });
}

MarkResult StoreProbe::mark(const MarkRequest& request) {
  return wait_for<MarkResult>(surplus_answers_,
                              [&](Callback<MarkResult> done) { store_->evidence()->mark(request, std::move(done)); });
}

SettleResult StoreProbe::settle(const FinalizeRequest& request) {
  return wait_for<SettleResult>(
      surplus_answers_, [&](Callback<SettleResult> done) { store_->evidence()->settle(request, std::move(done)); });
}

std::vector<std::string> StoreProbe::take_faults() {
  expect(*surplus_answers_ == 0, "a call was answered more than once");
  return std::move(faults_);
}

bool StoreProbe::claims(const ReserveRequest& request) {
  const auto answer = reserve(request);
  const auto* reserved = std::get_if<Reserved>(&answer);
  if (reserved == nullptr) return false;
  expect(reserved->reservation_id == request.reservation_id, "Reserved was answered under another reservation ID");
  return true;
}

bool StoreProbe::claims(const std::string& key, const std::string& reservation_id) {
  return claims(reserve_request(key, reservation_id));
}

void StoreProbe::store_final(const std::string& key, const std::string& reservation_id, FinalIdempotencyRecord record,
                             milliseconds ttl) {
  auto claim = reserve_request(key, reservation_id, fingerprint_of(record));
  claim.stale_reservation = milliseconds(1);
  expect(claims(claim), "a free key could not be claimed");
  expect(finalize(finalize_request(key, reservation_id, std::move(record), ttl)) == FinalizeResult::finalized,
         "the owner could not finalize its key");
}

void StoreProbe::expect_record(const std::string& key, const FinalIdempotencyRecord& record,
                               std::string_view otherwise) {
  const auto there = get(key);
  expect(there == to_record(record), otherwise);
}

void StoreProbe::expect_reserved(const std::string& key, const std::string& reservation_id,
                                 std::string_view otherwise) {
  const auto there = get(key);
  const auto* reserved = there ? std::get_if<ReservedRecord>(&*there) : nullptr;
  expect(reserved != nullptr && reserved->reservation_id == reservation_id, otherwise);
}

std::string StoreProbe::token(const std::string& key) {
  const auto view = operators().show(key, now());
  if (!view) throw std::runtime_error("an operator cannot see a key that is there");
  return view->token;
}

ReserveRequest reserve_request(const std::string& key, const std::string& reservation_id,
                               const std::string& fingerprint) {
  ReserveRequest request;
  request.key = key;
  request.fingerprint = fingerprint;
  request.reservation_id = reservation_id;
  request.now = StoreProbe::now();
  return request;
}

FinalizeRequest finalize_request(const std::string& key, const std::string& reservation_id,
                                 FinalIdempotencyRecord record, milliseconds ttl) {
  FinalizeRequest request;
  request.key = key;
  request.reservation_id = reservation_id;
  request.record = std::move(record);
  request.ttl = ttl;
  request.now = StoreProbe::now();
  return request;
}

FinalIdempotencyRecord accepted(const std::string& provider_id, const std::string& provider) {
  AcceptedRecord record;
  record.fingerprint = fingerprint_a;
  record.result.id = "sms_" + owner_1;
  record.result.provider = provider;
  record.result.provider_id = provider_id;
  record.result.delivery = Delivery::queued;
  record.result.segments = 1;
  record.result.attempted_providers = {provider};
  Attempt attempt;
  attempt.provider = provider;
  attempt.outcome = Attempt::Accepted{provider_id, Delivery::queued};
  attempt.duration = milliseconds(12);
  record.result.attempts = {attempt};
  return record;
}

FinalIdempotencyRecord rejected(const std::string& fingerprint) {
  Rejected rejection;
  rejection.category = RejectionCategory::recipient;
  rejection.details.provider = "twilio";
  rejection.details.http_status = 400;
  rejection.details.code = "21211";
  return RejectedRecord{fingerprint, ProviderRejectedError(rejection).serialize(), {}};
}

FinalIdempotencyRecord unknown() {
  auto error = HandoffUnknownError(UnknownReason::timeout).serialize();
  Attempt attempt;
  attempt.provider = "twilio";
  attempt.outcome = Attempt::Unknown{UnknownReason::timeout, std::nullopt};
  error.attempts = {attempt};
  return UnknownRecord{fingerprint_a, std::move(error), {}};
}

}  // namespace sms::testing
