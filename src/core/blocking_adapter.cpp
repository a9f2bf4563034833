#include <sms/adapter.hpp>
#include <sms/error.hpp>

#include <string>
#include <utility>

namespace sms {
namespace {

Rejected never_sent(const std::string& adapter) {
  Rejected rejection;
  rejection.category = RejectionCategory::unreachable;
  rejection.proof = Proof::transport;
  rejection.details.provider = adapter;
  return rejection;
}

}  // namespace

BlockingAdapter::BlockingAdapter(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}

void BlockingAdapter::send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) {
  executor_->post([this, message = std::move(message), context = std::move(context), done = std::move(done)]() mutable {
    const auto answer = [&]() -> Expected<AdapterOutcome> {
      try {
        if (context.gate) {
          context.gate->started();
          if (!context.gate->commit()) return AdapterOutcome(never_sent(info().name));
        }
        return send(message, context);
      } catch (...) {
        return HandoffUnknownError(UnknownReason::adapter_exception, {}, std::current_exception());
      }
    };
    done(answer());
  });
}

}  // namespace sms
