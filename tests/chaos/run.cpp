#include "chaos/run.hpp"

#include <sms/operator_store.hpp>
#include <sms/stores/open.hpp>

#include "chaos/chaotic_store.hpp"
#include "chaos/fleet.hpp"
#include "simulator/simulator.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <future>
#include <ostream>

namespace sms::chaos {
namespace {

using namespace std::chrono_literals;

constexpr const char* key_prefix = "order:";
constexpr const char* text_prefix = "Message of ";
/// More than any send of the senders may take: two store timeouts, the request, the outcome's way into the store.
constexpr auto longest_send = 25s;
/// Of the senders.
constexpr auto stale_reservation = 10s;

WallTime now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

/// The provider's ledger, by key.
std::map<std::string, std::set<std::string>> messages_of(const simulator::Simulator& provider) {
  std::map<std::string, std::set<std::string>> messages;
  const auto ledger = boost::json::parse(provider.ledger_json());
  for (const auto& message : ledger.at("messages").as_array()) {
    const std::string body(message.at("body").as_string());
    messages[body.substr(std::string_view(text_prefix).size())].insert(std::string(message.at("id").as_string()));
  }
  return messages;
}

/// All rows of the store that need an operator, and all others.
std::map<std::string, KeyView> rows_of(OperatorStore& store, KeyFilter filter) {
  std::map<std::string, KeyView> rows;
  ListRequest request;
  request.filter = filter;
  request.limit = 500;
  do {
    request.now = now();
    auto page = store.list(request);
    for (auto& view : page.keys) rows.insert_or_assign(view.key, std::move(view));
    request.cursor = page.next_cursor;
  } while (!request.cursor.empty());
  return rows;
}

class Run {
 public:
  Run(const RunOptions& options, std::ostream& out)
      : options_(options), out_(out), store_(chaotic_store(options.store)), random_(options.seed) {
    // So that a kill mostly meets a request on its way.
    provider_.set_faults(R"([{"action":"delay","ms":4}])");
  }

  std::size_t execute() {
    fleet_ = std::make_unique<Fleet>(Offers{options_.sender, store_->url(), provider_.url(), key_prefix, options_.keys},
                                     options_.processes, options_.seed);
    disturb();
    const auto deadline = std::chrono::steady_clock::now() + options_.longest;
    while (!fleet_->ended() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(20ms);
    if (!fleet_->ended()) {
      fault("senders hang: " + std::to_string(fleet_->settled()) + " keys are settled after all this time");
      return faults_;
    }
    judge();
    return faults_;
  }

 private:
  /// Spreads kills, cuts and restarts over the work, by the share of keys that are settled.
  void disturb() {
    std::vector<void (Run::*)()> plan;
    plan.insert(plan.end(), static_cast<std::size_t>(options_.kills), &Run::kill);
    plan.insert(plan.end(), static_cast<std::size_t>(options_.cuts), &Run::cut);
    plan.insert(plan.end(), static_cast<std::size_t>(options_.restarts), &Run::restart);
    std::ranges::shuffle(plan, random_);
    const auto deadline = std::chrono::steady_clock::now() + options_.longest;
    for (std::size_t done = 0; done < plan.size(); ++done) {
      const auto share = plan.size() + 1;
      const auto wanted = (done + 1) * static_cast<std::size_t>(options_.keys) * 9 / 10 / share;
      while (fleet_->settled() < wanted && !fleet_->ended() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(1ms);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(random_() % 10));
      (this->*plan[done])();
    }
  }
  void kill() {
    fleet_->kill_one();
    ++kills_;
  }
  void cut() {
    if (!store_->cuttable()) return;
    store_->cut();
    ++cuts_;
  }
  void restart() { restarts_ += store_->restart() ? 1 : 0; }

  void judge() {
    const auto& told = fleet_->told();
    const auto messages = messages_of(provider_);
    const auto store = open_store(store_->direct_url());
    wait_until_stale(*store->operators());
    const auto open = rows_of(*store->operators(), KeyFilter::open);
    const auto all = rows_of(*store->operators(), KeyFilter::all);

    std::size_t made = 0;
    std::size_t duplicates = 0;
    for (const auto& [key, ids] : messages) {
      made += ids.size();
      duplicates += ids.size() - 1;
      if (ids.size() > 1) fault(key + " has " + std::to_string(ids.size()) + " messages");
      if (!all.contains(key)) fault(key + " has a message and no record");
    }
    for (const auto& [key, ids] : told.accepted) {
      const auto there = messages.find(key);
      if (there == messages.end() || there->second != ids) fault(key + " was answered with an ID that does not exist");
    }
    for (const auto& [key, view] : all) {
      if (const auto* accepted = std::get_if<AcceptedRecord>(&view.record)) {
        const auto there = messages.find(key);
        if (there == messages.end() || !there->second.contains(accepted->result.provider_id)) {
          fault(key + " is accepted with an ID that does not exist");
        }
      }
      if (std::holds_alternative<RejectedRecord>(view.record) && messages.contains(key)) {
        fault(key + " is rejected and has a message");
      }
      if (std::holds_alternative<ReservedRecord>(view.record) && !open.contains(key)) {
        fault(key + " is reserved and not listed");
      }
    }
    for (const auto& key : told.open) {
      if (!open.contains(key) && !told.accepted.contains(key)) fault(key + " was said to be open and is not listed");
    }
    for (const auto& line : told.failed) fault("a sender was told: " + line);
    if (static_cast<int>(all.size()) != options_.keys)
      fault("only " + std::to_string(all.size()) + " keys have a record");
    if (open.size() > static_cast<std::size_t>(kills_ + cuts_)) fault("more open keys than kills and cuts");
    if (told.slowest > longest_send) fault("a send took " + std::to_string(told.slowest.count()) + " ms");
    if (told.owed > 0) fault(std::to_string(told.owed) + " outcomes were never written");

    out_ << options_.store << ": kills " << kills_ << ", cuts " << cuts_ << ", restarts " << restarts_ << ", processes "
         << options_.processes << ", keys " << all.size() << ", answers " << told.answers << ", messages " << made
         << ", open " << open.size() << ", slowest send " << told.slowest.count() << " ms, duplicates = " << duplicates
         << std::endl;
    for (const auto& [key, view] : open) {
      out_ << "  " << to_string(state_of(view.record)) << " " << key
           << (messages.contains(key) ? ", sent" : ", not sent") << std::endl;
    }
  }

  static void wait_until_stale(OperatorStore& store) {
    const auto deadline = std::chrono::steady_clock::now() + stale_reservation + 5s;
    while (store.stats(now()).reserved > store.stats(now()).stale && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(100ms);
    }
  }

  void fault(const std::string& what) {
    ++faults_;
    out_ << options_.store << ": FAULT " << what << std::endl;
  }

  const RunOptions& options_;
  std::ostream& out_;
  std::unique_ptr<ChaoticStore> store_;
  simulator::Simulator provider_{{}};
  std::mt19937 random_;
  std::unique_ptr<Fleet> fleet_;
  int kills_ = 0;
  int cuts_ = 0;
  int restarts_ = 0;
  std::size_t faults_ = 0;
};

}  // namespace

std::size_t run(const RunOptions& options, std::ostream& out) { return Run(options, out).execute(); }

}  // namespace sms::chaos
