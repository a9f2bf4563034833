#pragma once

#include <sms/idempotency.hpp>

#include <memory>

namespace sms {

/// Two stores as one, while keys move from the old to the new one.
///
/// A key is claimed in both, the old one first, and is `Reserved` only where both say so: clients that know the old
/// store alone, and those that know the new one alone, are kept out either way. What stands in either store counts; of
/// two records the stronger one (accepted, unknown, reserved, rejected), the old store's where they are equal. Records
/// are written to both, and `finalized`, `marked` only where both say so. When the new store refuses a claim, or fails,
/// the claim in the old one is given back: it is rejected for a millisecond.
///
/// Each operation takes as long as both stores do, and fails when one of them does. To roll out: first all clients use
/// `migrating_store(old, new)`, then `copy_store(old, new)` until nothing is left, then all clients use the new one.
///
/// Has the evidence interface where both stores have it; operators look at each store by itself. Thread-safe. The
/// stores live as long as operations on them are under way. Throws `ConfigurationError` when one is missing or both are
/// the same.
std::shared_ptr<IdempotencyStore> migrating_store(std::shared_ptr<IdempotencyStore> old_store,
                                                  std::shared_ptr<IdempotencyStore> new_store);

}  // namespace sms
