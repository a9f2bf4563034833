#pragma once

#include <sms/stores/memory.hpp>

namespace sms::testing {

using sms::memory_idempotency_store;
using sms::MemoryIdempotencyStore;

}  // namespace sms::testing
