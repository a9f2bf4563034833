#include <sms/adapter.hpp>
#include <sms/error.hpp>

#include <utility>

namespace sms {

BlockingAdapter::BlockingAdapter(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}

void BlockingAdapter::send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) {
  executor_->post([this, message = std::move(message), context = std::move(context), done = std::move(done)]() mutable {
    const auto answer = [&]() -> Expected<AdapterOutcome> {
      try {
        return send(message, context);
      } catch (...) {
        return HandoffUnknownError(UnknownReason::adapter_exception, {}, std::current_exception());
      }
    };
    done(answer());
  });
}

}  // namespace sms
