#include <sms/copy_store.hpp>
#include <sms/error.hpp>
#include <sms/operator_store.hpp>
#include <sms/operator_tools.hpp>

#include "core/sha256.hpp"

#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace sms {
namespace {

using std::chrono::milliseconds;

enum class Verdict { copied, there, conflict };

template <class T, class Start>
T answer_of(Start start) {
  auto promise = std::make_shared<std::promise<Expected<T>>>();
  auto answer = promise->get_future();
  start(Callback<T>([promise](Expected<T> result) { promise->set_value(std::move(result)); }));
  return answer.get().value();
}

std::string reservation_id_of(const KeyView& view) {
  if (view.reservation_id && !view.reservation_id->empty()) return *view.reservation_id;
  return detail::sha256_hex(view.key + '\n' + to_json(view.record)).substr(0, 32);
}

struct ToFinal {
  std::optional<FinalIdempotencyRecord> operator()(const ReservedRecord&) const { return std::nullopt; }
  template <class Record>
  std::optional<FinalIdempotencyRecord> operator()(const Record& record) const {
    return FinalIdempotencyRecord(record);
  }
};

/// Carries one key after the other.
class Carrier {
 public:
  Carrier(IdempotencyStore& to, const CopyOptions& options) : to_(to), options_(options) {}

  Verdict carry(const KeyView& view) {
    const std::string id = reservation_id_of(view);
    const auto there = answer_of<std::optional<IdempotencyRecord>>(
        [&](auto done) { to_.get(view.key, options_.now, std::move(done)); });
    if (there) {
      const auto verdict = compare(view, id, *there);
      if (verdict != Verdict::copied) return verdict;
    }
    if (options_.dry_run) return Verdict::copied;
    return write(view, id);
  }

 private:
  /// `copied`: the copy was begun, and is to be finished.
  Verdict compare(const KeyView& view, const std::string& id, const IdempotencyRecord& there) const {
    if (const auto* held = std::get_if<ReservedRecord>(&there)) {
      if (held->reservation_id != id || held->fingerprint != fingerprint_of(view.record)) return Verdict::conflict;
      return state_of(view.record) == RecordState::reserved ? Verdict::there : Verdict::copied;
    }
    return to_json(there) == to_json(view.record) ? Verdict::there : Verdict::conflict;
  }

  Verdict write(const KeyView& view, const std::string& id) {
    ReserveRequest claim;
    claim.key = view.key;
    claim.fingerprint = fingerprint_of(view.record);
    claim.reservation_id = id;
    claim.now = options_.now;
    if (view.since && view.open_since && state_of(view.record) == RecordState::reserved) {
      claim.stale_reservation = *view.open_since - *view.since;
    }
    const auto claimed = answer_of<ReserveResult>([&](auto done) { to_.reserve(claim, std::move(done)); });
    if (const auto* existing = std::get_if<Existing>(&claimed)) {
      const auto verdict = compare(view, id, existing->record);
      return verdict == Verdict::copied ? Verdict::conflict : verdict;
    }
    if (const auto settled = std::visit(ToFinal(), view.record)) return finalize(view, id, *settled);
    mark(view, id);
    return Verdict::copied;
  }

  Verdict finalize(const KeyView& view, const std::string& id, const FinalIdempotencyRecord& record) {
    constexpr milliseconds for_good = std::chrono::years(50);
    FinalizeRequest request;
    request.key = view.key;
    request.reservation_id = id;
    request.record = record;
    request.now = options_.now;
    request.ttl = for_good;
    if (view.expires_at) {
      request.ttl = milliseconds(1);
      request.send_at = *view.expires_at - request.ttl;
    }
    const auto answer = answer_of<FinalizeResult>([&](auto done) { to_.finalize(request, std::move(done)); });
    return answer == FinalizeResult::finalized ? Verdict::copied : Verdict::conflict;
  }

  void mark(const KeyView& view, const std::string& id) {
    const auto& reserved = std::get<ReservedRecord>(view.record);
    if (!reserved.posting || to_.evidence() == nullptr) return;
    answer_of<MarkResult>([&](auto done) { to_.evidence()->mark({view.key, id, *reserved.posting}, std::move(done)); });
  }

  IdempotencyStore& to_;
  const CopyOptions& options_;
};

CopyReport::Counts& counts_of(CopyReport& report, RecordState state) {
  switch (state) {
    case RecordState::reserved:
      return report.reserved;
    case RecordState::accepted:
      return report.accepted;
    case RecordState::rejected:
      return report.rejected;
    case RecordState::unknown:
      break;
  }
  return report.unknown;
}

void count(CopyReport::Counts& counts, Verdict verdict) {
  switch (verdict) {
    case Verdict::copied:
      ++counts.copied;
      return;
    case Verdict::there:
      ++counts.there;
      return;
    case Verdict::conflict:
      ++counts.conflicts;
      return;
  }
}

}  // namespace

CopyReport::Counts CopyReport::total() const noexcept {
  Counts sum;
  for (const Counts& one : {reserved, accepted, rejected, unknown}) {
    sum.copied += one.copied;
    sum.there += one.there;
    sum.conflicts += one.conflicts;
  }
  return sum;
}

CopyReport copy_store(IdempotencyStore& from, IdempotencyStore& to, const CopyOptions& options) {
  OperatorStore* source = from.operators();
  if (source == nullptr) throw ConfigurationError("copy: the keys of this store cannot be listed");
  if (const std::string identity = from.identity(); !identity.empty() && identity == to.identity()) {
    throw ConfigurationError("copy: both are the same store");
  }
  ListRequest all;
  all.filter = KeyFilter::all;
  all.now = options.now;
  CopyReport report;
  Carrier carrier(to, options);
  for_each_key(*source, all, [&](const KeyView& view) {
    if (options.stop.stop_requested()) return false;
    const RecordState state = state_of(view.record);
    const Verdict verdict = carrier.carry(view);
    count(counts_of(report, state), verdict);
    if (verdict == Verdict::conflict && options.on_conflict) {
      const auto there = answer_of<std::optional<IdempotencyRecord>>(
          [&](auto done) { to.get(view.key, options.now, std::move(done)); });
      options.on_conflict(view.key, state, there ? state_of(*there) : state);
    }
    return true;
  });
  return report;
}

}  // namespace sms
