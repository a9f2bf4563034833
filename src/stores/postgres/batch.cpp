#include "stores/postgres/batch.hpp"

#include "stores/postgres/statements.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

/// How long rows of a batch may be held by others, and the row of an operation that goes alone.
constexpr milliseconds batch_patience(250);
constexpr milliseconds lone_patience(500);

milliseconds known_stale(const PgServer& server) {
  const auto text = server.value("stale_reservation_ms").value_or("0");
  std::int64_t ms = 0;
  std::from_chars(text.data(), text.data() + text.size(), ms);
  return milliseconds(ms);
}

bool claims(const PgResult& result, int row, const PgOperation& operation) {
  constexpr int state = PgAnswer::first_row_column + 2;
  const auto values = operation.values();
  return operation.statement() == PgStatement::reserve && result.text(row, state) == "reserved" &&
         result.text_if(row, state + 1) == values.back();
}

}  // namespace

PgMember::PgMember(PgSession session, std::string name)
    : session_(std::move(session)),
      name_(std::move(name)),
      stale_known_(known_stale(session_.server)),
      server_time_(session_.server.time),
      server_time_seen_(session_.server.seen),
      wrapped_(session_.server.isolation != "read committed") {}

void PgMember::send(PgOperations batch, milliseconds operation_timeout) {
  batch_ = std::move(batch);
  const auto now = BootClock::now();
  auto earliest = TimePoint::max();
  milliseconds stale{0};
  for (const auto& operation : batch_) {
    earliest = std::min(earliest, operation->deadline);
    stale = std::max(stale, operation->stale_reservation());
  }
  // A swallowed answer leaves time to ask again elsewhere.
  deadline_ = std::min(earliest, now + std::max(operation_timeout / 2, 2 * lone_patience));
  // Less than what is left, so that the server says what it waited for.
  const auto left = std::max(std::chrono::floor<milliseconds>((earliest - now) * 3 / 4), milliseconds(1));
  const auto patience = std::min(left, batch_.front()->alone ? lone_patience : batch_patience);
  const auto server_deadline = server_time_ + std::chrono::floor<milliseconds>(earliest - server_time_seen_);
  nonce_ = name_ + std::to_string(++batches_);

  const auto& server = session_.server;
  PgParameters parameters;
  parameters.number(patience.count()).text(nonce_).number(in_ms(server_deadline));
  parameters.text(server.identity()).text(server.timeline);
  std::vector<std::vector<std::optional<std::string>>> columns(1);
  for (const auto& operation : batch_) {
    columns.front().emplace_back(operation->key);
    auto values = operation->values();
    columns.resize(values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) columns[i + 1].push_back(std::move(values[i]));
  }
  for (const auto& column : columns) parameters.texts(column);

  const auto statement = batch_.front()->statement();
  const bool timeline_known = !server.timeline.empty();
  stale_sent_ = stale;
  if (statement == PgStatement::reserve && stale > stale_known_) {
    parameters.number(stale.count());
    session_.link.send(remembering_reserve_sql(timeline_known), parameters, wrapped_);
  } else {
    session_.link.send(statement_sql(statement, timeline_known), parameters, wrapped_);
  }
}

bool PgMember::advance(PgQueue& queue) {
  try {
    if (!session_.link.advance()) return true;
    const auto result = session_.link.take();
    deadline_ = TimePoint::max();
    if (!result.failed()) return distribute(queue, result);
    const auto failure = result.failure();
    trouble_ = failure.what();
    if (fault_of(failure.state()) == PgFault::connection) return false;
    failed(queue, failure);
    return session_.link.clean();
  } catch (const PgFailure& failure) {
    trouble_ = failure.what();
    return false;
  }
}

bool PgMember::distribute(PgQueue& queue, const PgResult& result) {
  std::unordered_map<std::string_view, PgOperation*> waiting;
  for (const auto& operation : batch_) waiting.emplace(operation->key, operation.get());
  std::unordered_map<PgOperation*, PgAnswer> answers;
  for (int i = 0; i < result.rows(); ++i) {
    const auto key = result.text(i, PgAnswer::first_row_column);
    const auto asked = waiting.find(key);
    if (result.text(i, 0) != nonce_ || asked == waiting.end()) {
      trouble_ = "an answer belongs to another question";
      return false;
    }
    const WallTime now(milliseconds(result.integer(i, 1)));
    if (stale_sent_ > stale_known_ && claims(result, i, *asked->second)) stale_known_ = stale_sent_;
    answers[asked->second] = {result.boolean(i, 2), result.boolean(i, 3), now, &result, i};
    server_time_ = now;
  }
  server_time_seen_ = BootClock::now();
  const bool understood = result.rows() > 0;
  for (auto& operation : std::exchange(batch_, {})) {
    const auto answer = answers.find(operation.get());
    try {
      if (operation->take(answer == answers.end() ? nullptr : &answer->second)) continue;
    } catch (const Error& unreadable) {
      operation->fail("the stored record of this key cannot be read");
      continue;
    }
    put_back(queue, std::move(operation), understood ? "the row was changed meanwhile" : "the server did not take it");
  }
  if (!understood) trouble_ = "the server is another one, or its clock jumped";
  return understood;
}

void PgMember::failed(PgQueue& queue, const PgFailure& failure) {
  const auto fault = fault_of(failure.state());
  const bool single = batch_.size() == 1;
  for (auto& operation : std::exchange(batch_, {})) {
    if (fault == PgFault::server || (single && fault == PgFault::poisoned)) {
      operation->fail("PostgreSQL: " + std::string(failure.what()) + " (" + failure.state() + ")");
      continue;
    }
    operation->alone = operation->alone || fault != PgFault::conflict || !single;
    if (single && fault == PgFault::locked) queue.suspect(operation->key);
    put_back(queue, std::move(operation),
             fault == PgFault::locked ? "the row is held by another session" : std::string(failure.what()));
  }
}

void put_back(PgQueue& queue, std::unique_ptr<PgOperation> operation, const std::string& trouble) {
  // What comes first is the cause, more often than not.
  if (operation->trouble.empty()) operation->trouble = trouble;
  if (operation->deadline <= BootClock::now()) {
    operation->fail("no answer in time: " + operation->trouble);
  } else {
    queue.put_back(std::move(operation));
  }
}

}  // namespace sms::detail
