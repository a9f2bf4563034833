#pragma once

#include "testing/store_probe.hpp"

/// The checks of the store contract; store_contract.cpp says what each is about.
namespace sms::testing::checks {

// Of claims.
void absent_key(StoreProbe&);
void free_key(StoreProbe&);
void held_key(StoreProbe&);
void own_claim(StoreProbe&);
void settled_key(StoreProbe&);
void rejected_key(StoreProbe&);
void distinct_keys(StoreProbe&);

// Of final records.
void final_records(StoreProbe&);
void whole_records(StoreProbe&);
void owner_alone(StoreProbe&);
void repeated_finalize(StoreProbe&);
void independent_copies(StoreProbe&);

// Of time.
void expired_records(StoreProbe&);
void records_that_stay(StoreProbe&);
void takeover_clears_expiry(StoreProbe&);
void scheduled_messages(StoreProbe&);
void long_lives(StoreProbe&);
void ages(StoreProbe&);

// Of concurrent callers.
void one_winner(StoreProbe&);
void many_keys(StoreProbe&);
void one_taker(StoreProbe&);

// Of evidence.
void marks(StoreProbe&);
void marks_of_strangers(StoreProbe&);
void settle_table(StoreProbe&);
void settle_repeats(StoreProbe&);
void settle_stops_holder(StoreProbe&);
void settle_lifetime(StoreProbe&);

// Of operators.
void shown_keys(StoreProbe&);
void tokens(StoreProbe&);
void open_keys(StoreProbe&);
void filtered_lists(StoreProbe&);
void pages(StoreProbe&);
void resolved_keys(StoreProbe&);
void resolve_refused(StoreProbe&);
void released_keys(StoreProbe&);
void release_refused(StoreProbe&);
void release_settles(StoreProbe&);
void largest_staleness(StoreProbe&);
void purged_keys(StoreProbe&);
void counted_keys(StoreProbe&);
void audit_rows(StoreProbe&);

}  // namespace sms::testing::checks
