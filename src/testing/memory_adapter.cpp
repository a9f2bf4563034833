#include <sms/testing/memory_adapter.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sms::testing {
namespace {

AdapterInfo info_of(MemoryAdapterOptions& options) {
  AdapterInfo info;
  info.name = std::move(options.name);
  info.provider = "memory";
  info.default_sender = std::move(options.from);
  Capabilities& can = info.capabilities;
  can.mms = true;
  can.scheduling = true;
  can.validity_period = {std::chrono::seconds(1), std::chrono::seconds(604'800)};
  can.webhook_url_override = true;
  return info;
}

class Memory final : public MemoryAdapter, public std::enable_shared_from_this<Memory> {
 public:
  explicit Memory(MemoryAdapterOptions options)
      : info_(info_of(options)), respond_(std::move(options.respond)), script_(std::move(options.script)) {}

  const AdapterInfo& info() const override { return info_; }
  bool commits() const override { return true; }

  void send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) override {
    ScriptedOutcome step = next_step(message, context.attempt);
    const auto gate = std::move(context.gate);
    if (gate) gate->started();
    if (!step.not_sent && gate && !gate->commit()) return done(not_sent());
    if (step.throws) throw std::runtime_error("the memory adapter was told to throw");
    take(step);
    if (step.hangs) return hang(std::move(step.outcome), gate, std::move(done));
    done(std::move(step.outcome));
  }

  std::vector<SentMessage> sent() const override {
    const std::lock_guard lock(mutex_);
    return sent_;
  }
  std::size_t accepted() const override {
    const std::lock_guard lock(mutex_);
    return accepted_;
  }
  void push(ScriptedOutcome step) override {
    const std::lock_guard lock(mutex_);
    script_.push_back(std::move(step));
  }
  void release_hung() override {
    std::map<std::size_t, Hung> hung;
    {
      const std::lock_guard lock(mutex_);
      hung.swap(hung_);
    }
    for (auto& [number, attempt] : hung) attempt.done(std::move(attempt.outcome));
  }

 private:
  struct Hung {
    AdapterOutcome outcome;
    Callback<AdapterOutcome> done;
  };

  AdapterOutcome not_sent() const {
    Rejected rejected;
    rejected.category = RejectionCategory::unreachable;
    rejected.proof = Proof::transport;
    rejected.details.provider = info_.name;
    return rejected;
  }

  ScriptedOutcome next_step(const AdapterMessage& message, int attempt) {
    {
      const std::lock_guard lock(mutex_);
      sent_.push_back({message, attempt});
      if (next_ < script_.size()) return script_[next_++];
    }
    return respond_ ? respond_(message) : ScriptedOutcome{};
  }

  /// What the provider does with the message, whatever the sender gets to know of it.
  void take(ScriptedOutcome& step) {
    auto* const accepted = std::get_if<Accepted>(&step.outcome);
    if (accepted == nullptr) return;
    const std::lock_guard lock(mutex_);
    ++accepted_;
    if (accepted->provider_id.empty()) accepted->provider_id = "mem_" + std::to_string(accepted_);
  }

  void hang(AdapterOutcome outcome, const std::shared_ptr<AttemptGate>& gate, Callback<AdapterOutcome> done) {
    std::size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = ++hung_so_far_;
      hung_.emplace(number, Hung{std::move(outcome), std::move(done)});
    }
    if (!gate) return;
    gate->on_release([weak = weak_from_this(), number, gate = std::weak_ptr(gate)] {
      const auto self = weak.lock();
      const auto released = gate.lock();
      if (self && released) self->give_up(number, released->state() == AttemptGate::State::cancelled);
    });
  }

  /// Ends a hanging attempt whose client has gone, as a transport would.
  void give_up(std::size_t number, bool nothing_left) {
    std::optional<Hung> attempt;
    {
      const std::lock_guard lock(mutex_);
      const auto found = hung_.find(number);
      if (found == hung_.end()) return;
      attempt = std::move(found->second);
      hung_.erase(found);
    }
    attempt->done(nothing_left ? not_sent() : AdapterOutcome(Unknown{UnknownReason::network, {}}));
  }

  const AdapterInfo info_;
  const std::function<ScriptedOutcome(const AdapterMessage&)> respond_;
  mutable std::mutex mutex_;
  std::vector<ScriptedOutcome> script_;
  std::size_t next_ = 0;
  std::vector<SentMessage> sent_;
  std::size_t accepted_ = 0;
  std::size_t hung_so_far_ = 0;
  std::map<std::size_t, Hung> hung_;
};

}  // namespace

std::shared_ptr<MemoryAdapter> memory(MemoryAdapterOptions options) {
  return std::make_shared<Memory>(std::move(options));
}

}  // namespace sms::testing
