#include <sms/idempotency.hpp>

#include <utility>

namespace sms {
namespace {

template <class T, class Work>
Expected<T> answer_of(const char* operation, Work& work) {
  try {
    return work();
  } catch (const StoreUnavailableError& error) {
    return error;
  } catch (...) {
    return StoreUnavailableError(operation, "the store threw an exception", std::current_exception());
  }
}

}  // namespace

BlockingIdempotencyStore::BlockingIdempotencyStore(std::shared_ptr<Executor> executor)
    : executor_(std::move(executor)) {
  if (!executor_) throw ConfigurationError("a blocking store needs an executor");
}

// What is posted holds the store, so that it outlives its own work.
template <class T, class Work>
void BlockingIdempotencyStore::run(const char* operation, Callback<T> done, Work work) {
  executor_->post([self = weak_from_this().lock(), operation, done = std::move(done),
                   work = std::move(work)]() mutable { done(answer_of<T>(operation, work)); });
}

void BlockingIdempotencyStore::get(std::string key, WallTime now, Callback<std::optional<IdempotencyRecord>> done) {
  run<std::optional<IdempotencyRecord>>("get", std::move(done),
                                        [this, key = std::move(key), now] { return get(key, now); });
}

void BlockingIdempotencyStore::reserve(ReserveRequest request, Callback<ReserveResult> done) {
  run<ReserveResult>("reserve", std::move(done), [this, request = std::move(request)] { return reserve(request); });
}

void BlockingIdempotencyStore::finalize(FinalizeRequest request, Callback<FinalizeResult> done) {
  run<FinalizeResult>("finalize", std::move(done), [this, request = std::move(request)] { return finalize(request); });
}

}  // namespace sms
