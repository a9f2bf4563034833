#include "testing/store_checks.hpp"
#include "testing/store_operator_requests.hpp"

#include <algorithm>

namespace sms::testing::checks {
namespace {

using namespace std::chrono_literals;
using Keys = std::vector<std::string>;

Keys keys_of(const ListPage& page) {
  Keys keys;
  for (const auto& view : page.keys) keys.push_back(view.key);
  return keys;
}

Keys sorted(Keys keys) {
  std::ranges::sort(keys);
  return keys;
}

ListPage list(StoreProbe& store, KeyFilter filter, const std::string& prefix = {}, std::size_t limit = 100) {
  ListRequest request;
  request.filter = filter;
  request.prefix = prefix;
  request.limit = limit;
  request.now = StoreProbe::now();
  return store.operators().list(request);
}

/// One key of each kind.
void fill(StoreProbe& store) {
  claim_stale(store, "stale", owner_1);
  store.store_final("unknown", owner_1, unknown());
  store.store_final("accepted", owner_1, accepted());
  store.store_final("rejected", owner_1, rejected());
  store.store_final("expired", owner_1, accepted("SM2"), 1ms);
  StoreProbe::wait(10ms);
}

}  // namespace

void open_keys(StoreProbe& store) {
  store.expect(list(store, KeyFilter::open).keys.empty(), "an empty store has open keys");
  fill(store);
  const auto page = list(store, KeyFilter::open);
  store.expect(keys_of(page) == Keys{"stale", "unknown"}, "open keys are not the stale and the unknown, oldest first");
  store.expect(page.next_cursor.empty(), "the last page names another one");
  for (const auto& view : page.keys) {
    store.expect(view.token == store.token(view.key), "list and show give different tokens");
    store.expect(view.age > 0ms && view.age < 10min, "an open key has an age that it cannot have");
  }
}

void filtered_lists(StoreProbe& store) {
  fill(store);
  store.expect(sorted(keys_of(list(store, KeyFilter::all))) == Keys{"accepted", "rejected", "stale", "unknown"},
               "the list of all keys is not all that have not expired");
  store.expect(keys_of(list(store, KeyFilter::reserved)) == Keys{"stale"}, "the list of reserved keys is wrong");
  store.expect(keys_of(list(store, KeyFilter::accepted)) == Keys{"accepted"}, "the list of accepted keys is wrong");
  store.expect(keys_of(list(store, KeyFilter::rejected)) == Keys{"rejected"}, "the list of rejected keys is wrong");
  store.expect(keys_of(list(store, KeyFilter::unknown)) == Keys{"unknown"}, "the list of unknown keys is wrong");

  for (const auto& key : {"a_b:1", "aXb:1", "a%b:1", "A_b:1"}) store.store_final(key, owner_2, unknown());
  store.expect(keys_of(list(store, KeyFilter::open, "a_b")) == Keys{"a_b:1"}, "a prefix is taken for a pattern");
  store.expect(keys_of(list(store, KeyFilter::open, "a%")) == Keys{"a%b:1"}, "a prefix is taken for a pattern");
  store.expect(list(store, KeyFilter::open, "zzz").keys.empty(), "a prefix that no key has lists keys");

  ListRequest old;
  old.min_age = 1h;
  old.now = StoreProbe::now();
  store.expect(store.operators().list(old).keys.empty(), "young keys are listed as old ones");
}

void pages(StoreProbe& store) {
  Keys expected;
  for (int i = 0; i < 25; ++i) {
    expected.push_back("order:" + std::to_string(100 + i));
    store.store_final(expected.back(), owner_1, unknown());
    if (i % 3 == 0) StoreProbe::wait(2ms);
  }
  Keys seen;
  ListRequest request;
  request.limit = 4;
  for (int page_number = 0; page_number < 20; ++page_number) {
    request.now = StoreProbe::now();
    const auto page = store.operators().list(request);
    store.expect(page.keys.size() <= request.limit, "a page has more keys than asked for");
    const auto keys = keys_of(page);
    seen.insert(seen.end(), keys.begin(), keys.end());
    // What comes and goes between two pages moves no other key.
    if (page_number == 1) {
      const auto gone = seen.front();
      store.expect(store.operators().release(release_request(store, gone)) == OperatorResult::done,
                   "an unknown key could not be released");
      store.store_final("younger", owner_2, unknown());
      expected.emplace_back("younger");
    }
    if (page.next_cursor.empty()) break;
    request.cursor = page.next_cursor;
  }
  store.expect(seen == expected, "the pages of a list are not every key once, oldest first");
}

void purged_keys(StoreProbe& store) {
  for (int i = 0; i < 5; ++i) store.store_final("expired:" + std::to_string(i), owner_1, accepted(), 1ms);
  store.store_final("taken", owner_1, rejected(), 1ms);
  StoreProbe::wait(10ms);
  store.expect(store.claims("taken", owner_2), "an expired key could not be claimed");
  store.store_final("accepted", owner_1, accepted());
  store.store_final("unknown", owner_1, unknown(), 1ms);
  store.expect(store.claims("reserved", owner_1), "a free key could not be claimed");

  store.expect(store.operators().purge_expired(2, StoreProbe::now()) <= 2, "a purge removed more than it may");
  store.operators().purge_expired(100, StoreProbe::now());
  store.expect(store.operators().purge_expired(100, StoreProbe::now()) == 0, "a purge left expired records");
  store.expect(store.operators().stats(StoreProbe::now()).expired == 0, "a purge left expired records");
  store.expect_reserved("taken", owner_2, "a purge removed the reservation that took over an expired record");
  store.expect_reserved("reserved", owner_1, "a purge removed a reservation");
  store.expect_record("accepted", accepted(), "a purge removed a record that has not expired");
  store.expect_record("unknown", unknown(), "a purge removed an unknown record");
}

void counted_keys(StoreProbe& store) {
  const auto none = store.operators().stats(StoreProbe::now());
  store.expect(none.reserved + none.accepted + none.rejected + none.unknown + none.expired == 0 && !none.oldest_open,
               "an empty store counts keys");
  const auto begin = StoreProbe::now();
  fill(store);
  const auto stats = store.operators().stats(StoreProbe::now());
  store.expect(stats.reserved == 1, "reserved keys are counted wrongly");
  store.expect(stats.stale == 1, "stale keys are counted wrongly");
  store.expect(stats.accepted == 1, "accepted keys are counted wrongly");
  store.expect(stats.rejected == 1, "rejected keys are counted wrongly");
  store.expect(stats.unknown == 1, "unknown keys are counted wrongly");
  store.expect(stats.expired <= 1, "expired keys are counted wrongly");
  store.expect(stats.oldest_open && std::chrono::abs(*stats.oldest_open - begin) < 10min,
               "the oldest open key is not as old as it is");
}

}  // namespace sms::testing::checks
