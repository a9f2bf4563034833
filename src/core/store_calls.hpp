#pragma once

#include <sms/idempotency.hpp>

#include "core/engine.hpp"
#include "core/owed_outcomes.hpp"
#include "core/task.hpp"

#include <memory>
#include <optional>
#include <string>

namespace sms::detail {

/// Calls of a store as the send flow makes them: each bounded, each safe to repeat after a lost reply.

/// Claims the key; repeats under the same reservation ID within `store_timeout`. When that is used up, a claim that may
/// have been made unseen is given back in the background.
Task<Expected<ReserveResult>> reserve(std::shared_ptr<Engine> engine, ReserveRequest request);

/// Writes the posting mark, within `store_timeout`.
Task<Expected<MarkResult>> mark(std::shared_ptr<Engine> engine, MarkRequest request);

/// One look at the key, within `store_timeout`.
Task<Expected<std::optional<IdempotencyRecord>>> look(std::shared_ptr<Engine> engine, std::string key);

/// Writes what the store should say, within `finalize_timeout`; what cannot be written is owed and retried in the
/// background. An outcome that does not own its key any more is left as evidence.
Task<void> write(std::shared_ptr<Engine> engine, Debt debt);

/// One write of evidence, within `store_timeout`.
Task<Expected<SettleResult>> settle(std::shared_ptr<Engine> engine, FinalizeRequest request);

/// One try to write what is owed. True when nothing is owed any more.
Task<bool> pay(std::shared_ptr<Engine> engine, Debt debt);

}  // namespace sms::detail
