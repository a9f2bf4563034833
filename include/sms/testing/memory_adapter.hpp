#pragma once

#include <sms/adapter.hpp>
#include <sms/unique_function.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sms::testing {

/// One answer of the in-memory adapter.
struct ScriptedOutcome {
  AdapterOutcome outcome = Accepted{};  ///< An `Accepted` with an empty ID gets one (`mem_1`, `mem_2`, ...).
  bool throws = false;                  ///< Throws instead.
  bool hangs = false;                   ///< Answers only when `release_hung` is called.
  bool not_sent = false;                ///< Answers the outcome without committing the gate.
};

/// What the adapter was asked to send.
struct SentMessage {
  AdapterMessage message;
  int attempt = 1;
};

struct MemoryAdapterOptions {
  std::string name = "memory";
  std::optional<From> from = From{std::string("+15550100001")};
  std::vector<ScriptedOutcome> script = {};  ///< Used one by one; when it is empty, everything is accepted.
  std::function<ScriptedOutcome(const AdapterMessage&)> respond = {};  ///< Decides when the script is used up.
};

/// An adapter that sends nothing and remembers everything: for testing programs that send. Thread-safe.
class MemoryAdapter : public Adapter {
 public:
  virtual std::vector<SentMessage> sent() const = 0;
  /// How many messages it accepted.
  virtual std::size_t accepted() const = 0;
  /// Appends to the script.
  virtual void push(ScriptedOutcome) = 0;
  /// Lets every hanging attempt answer its outcome.
  virtual void release_hung() = 0;
};

std::shared_ptr<MemoryAdapter> memory(MemoryAdapterOptions options = {});

}  // namespace sms::testing
