#include <sms/testing/store_history.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

namespace sms::testing {
namespace {

using Time = BootClock::time_point;
using Answer = StoreEvent::Answer;
using Call = StoreEvent::Call;

constexpr auto end_of_time = Time::max();

/// From when to when a caller may have owned a key, and surely did.
struct Ownership {
  std::string caller;
  Time may_begin = end_of_time, surely_begins = end_of_time;
  Time surely_ends = end_of_time, may_end = end_of_time;
  bool claimed = false;  ///< The store said so.
  bool accepted = false;
  bool said_rejected = false;
};

/// All that was said of one key.
class KeyHistory {
 public:
  void add(const StoreEvent& event) { events_.push_back(&event); }

  std::vector<std::string> contradictions() {
    for (const auto* event : events_) note(*event);
    check_overlaps();
    for (const auto* event : events_) check_answer(*event);
    return std::move(found_);
  }

 private:
  void note(const StoreEvent& event) {
    auto& own = owners_[event.caller];
    own.caller = event.caller;
    if (event.call == Call::reserve) {
      if (event.answer != Answer::reserved && event.answer != Answer::failed) return;
      own.may_begin = std::min(own.may_begin, event.begin);
      if (event.answer == Answer::failed) return;
      own.claimed = true;
      own.surely_begins = std::min(own.surely_begins, event.end);
      return;
    }
    own.surely_ends = std::min(own.surely_ends, event.begin);
    if (event.answer != Answer::finalized) return;
    own.may_end = std::min(own.may_end, event.end);
    (event.accepts ? own.accepted : own.said_rejected) = true;
  }

  void check_overlaps() {
    std::vector<const Ownership*> sure;
    for (const auto& [name, own] : owners_) {
      if (own.claimed) sure.push_back(&own);
    }
    std::ranges::sort(sure, {}, [](const Ownership* own) { return own->surely_begins; });
    const Ownership* before = nullptr;
    for (const auto* own : sure) {
      if (before != nullptr && own->surely_begins < before->surely_ends) {
        fault(own->caller + " owns it while " + before->caller + " does");
      }
      if (before == nullptr || own->surely_ends > before->surely_ends) before = own;
    }
    for (const auto* first : sure) {
      if (!first->accepted) continue;
      for (const auto* later : sure) {
        if (later != first && later->may_begin > first->may_end) {
          fault(later->caller + " claims it after " + first->caller + " had it accepted");
        }
      }
    }
  }

  void check_answer(const StoreEvent& event) {
    if (event.answer == Answer::not_owner && owners_[event.caller].claimed) {
      fault(event.caller + " claimed it and is told that it is not the owner");
    }
    if (event.answer == Answer::finalized && owners_[event.caller].may_begin == end_of_time) {
      fault(event.caller + " finalizes it and never claimed it");
    }
    if (event.answer != Answer::held) return;
    const auto holder = owners_.find(event.holder);
    if (holder == owners_.end() || holder->second.may_begin > event.end || holder->second.may_end < event.begin) {
      fault(event.caller + " is shown " + event.holder + ", which cannot hold it at that time");
    }
  }

  void fault(const std::string& what) { found_.push_back(events_.front()->key + ": " + what); }

  std::vector<const StoreEvent*> events_;
  std::map<std::string, Ownership> owners_;
  std::vector<std::string> found_;
};

std::int64_t ticks(Time time) { return time.time_since_epoch().count(); }

}  // namespace

std::vector<std::string> contradictions(std::span<const StoreEvent> events) {
  std::map<std::string, KeyHistory> keys;
  for (const auto& event : events) keys[event.key].add(event);
  std::vector<std::string> found;
  for (auto& [key, history] : keys) std::ranges::move(history.contradictions(), std::back_inserter(found));
  return found;
}

std::string to_line(const StoreEvent& event) {
  std::ostringstream line;
  line << "event " << static_cast<int>(event.call) << ' ' << static_cast<int>(event.answer) << ' ' << event.accepts
       << ' ' << ticks(event.begin) << ' ' << ticks(event.end) << ' ' << event.caller << ' '
       << (event.holder.empty() ? "-" : event.holder) << ' ' << event.key;
  return line.str();
}

std::optional<StoreEvent> parse_event(std::string_view text) {
  std::istringstream line{std::string(text)};
  std::string word;
  int call = 0;
  int answer = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  StoreEvent event;
  if (!(line >> word >> call >> answer >> event.accepts >> begin >> end >> event.caller >> event.holder >> event.key) ||
      word != "event") {
    return std::nullopt;
  }
  event.call = static_cast<Call>(call);
  event.answer = static_cast<Answer>(answer);
  event.begin = Time(BootClock::duration(begin));
  event.end = Time(BootClock::duration(end));
  if (event.holder == "-") event.holder.clear();
  return event;
}

}  // namespace sms::testing
