#include <sms/idempotency.hpp>
#include <sms/operator_store.hpp>

#include <algorithm>

namespace sms {
namespace {

struct StateOf {
  RecordState operator()(const ReservedRecord&) const noexcept { return RecordState::reserved; }
  RecordState operator()(const AcceptedRecord&) const noexcept { return RecordState::accepted; }
  RecordState operator()(const RejectedRecord&) const noexcept { return RecordState::rejected; }
  RecordState operator()(const UnknownRecord&) const noexcept { return RecordState::unknown; }
};

constexpr auto fingerprint_member = [](const auto& record) -> const std::string& { return record.fingerprint; };

void keep_attempts(SendResult& result, const std::vector<Attempt>& attempts, const ForeignFields& foreign) {
  result.attempts = attempts;
  const auto text = std::find_if(foreign.begin(), foreign.end(), [](const auto& f) { return f.first == "attempts"; });
  if (text != foreign.end()) result.foreign.push_back(*text);
}

struct KeepWhatIsKnown {
  SendResult& result;

  void operator()(const ReservedRecord&) const {}
  void operator()(const AcceptedRecord& record) const {
    result.id = record.result.id;
    keep_attempts(result, record.result.attempts, record.result.foreign);
  }
  void operator()(const RejectedRecord& record) const {
    keep_attempts(result, record.error.attempts, record.error.foreign);
  }
  void operator()(const UnknownRecord& record) const {
    keep_attempts(result, record.error.attempts, record.error.foreign);
  }
};

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

RecordState state_of(const IdempotencyRecord& record) noexcept { return std::visit(StateOf{}, record); }
RecordState state_of(const FinalIdempotencyRecord& record) noexcept { return std::visit(StateOf{}, record); }

const std::string& fingerprint_of(const IdempotencyRecord& record) noexcept {
  return std::visit(fingerprint_member, record);
}
const std::string& fingerprint_of(const FinalIdempotencyRecord& record) noexcept {
  return std::visit(fingerprint_member, record);
}

IdempotencyRecord to_record(FinalIdempotencyRecord record) {
  return std::visit([](auto&& final_record) -> IdempotencyRecord { return std::move(final_record); },
                    std::move(record));
}

AcceptedRecord resolved_record(const IdempotencyRecord& before, const std::string& provider,
                               const std::string& provider_id, std::string new_id) {
  AcceptedRecord record;
  record.fingerprint = fingerprint_of(before);
  SendResult& result = record.result;
  result.id = std::move(new_id);
  result.provider = provider;
  result.provider_id = provider_id;
  std::visit(KeepWhatIsKnown{result}, before);
  for (const Attempt& attempt : result.attempts) add_once(result.attempted_providers, attempt.provider);
  add_once(result.attempted_providers, provider);
  return record;
}

}  // namespace sms
