#include "stores/postgres/link.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

std::string first_line(const char* text) {
  std::string line(text == nullptr ? "" : text);
  line.erase(std::min(line.find('\n'), line.size()));
  return line;
}

int poll_time(BootClock::time_point deadline) {
  if (deadline == BootClock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(deadline - BootClock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

/// "Canceling wait for synchronous replication" comes as a warning beside an answer that looks like any other.
void note_warning(void* warned, const PGresult* notice) {
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity != nullptr && std::string_view(severity) == "WARNING") *static_cast<bool*>(warned) = true;
}

}  // namespace

void PgResult::Clearer::operator()(pg_result* result) const { PQclear(result); }
int PgResult::rows() const { return PQntuples(result_.get()); }
std::string PgResult::text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}
std::optional<std::string> PgResult::text_if(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) != 0 ? std::nullopt : std::optional(text(row, column));
}
std::int64_t PgResult::integer(int row, int column) const { return integer_if(row, column).value_or(0); }
std::optional<std::int64_t> PgResult::integer_if(int row, int column) const {
  const auto value = text_if(row, column);
  std::int64_t number = 0;
  if (!value || std::from_chars(value->data(), value->data() + value->size(), number).ec != std::errc()) {
    return std::nullopt;
  }
  return number;
}
bool PgResult::boolean(int row, int column) const { return text(row, column) == "t"; }
int PgResult::affected() const {
  int number = 0;
  const std::string_view text = PQcmdTuples(result_.get());
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}
bool PgResult::failed() const {
  const auto status = PQresultStatus(result_.get());
  return status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
}
PgFailure PgResult::failure() const {
  const char* state = PQresultErrorField(result_.get(), PG_DIAG_SQLSTATE);
  const char* text = PQresultErrorField(result_.get(), PG_DIAG_MESSAGE_PRIMARY);
  if (text == nullptr) text = PQresultErrorMessage(result_.get());
  return PgFailure(first_line(text), state == nullptr ? "" : state);
}

void PgLink::Closer::operator()(pg_conn* connection) const { PQfinish(connection); }

PgLink::PgLink(const PgConnectionInfo& info, TimePoint deadline, int stop) : deadline_(deadline), stop_(stop) {
  std::vector<const char*> keywords, values;
  for (const auto& [keyword, value] : info) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  connection_.reset(PQconnectStartParams(keywords.data(), values.data(), 0));
  if (!connection_) throw PgFailure("out of memory");
  auto next = PGRES_POLLING_WRITING;
  while (PQstatus(connection_.get()) != CONNECTION_BAD && next != PGRES_POLLING_OK) {
    if (next == PGRES_POLLING_FAILED) break;
    wait(next == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline, stop);
    next = PQconnectPoll(connection_.get());
  }
  if (PQstatus(connection_.get()) != CONNECTION_OK) lost();
  PQsetNoticeReceiver(connection_.get(), note_warning, warned_.get());
  if (PQsetnonblocking(connection_.get(), 1) != 0) lost();
}

void PgLink::send(const std::string& sql, const PgParameters& parameters, bool read_committed) {
  auto* connection = connection_.get();
  result_.reset();
  *warned_ = false;
  pipeline_ = read_committed;
  const auto values = parameters.pointers();
  const auto lengths = parameters.lengths();
  const auto send_one = [&] {
    return PQsendQueryParams(connection, sql.c_str(), static_cast<int>(parameters.size()), parameters.types().data(),
                             values.data(), lengths.data(), parameters.formats().data(), 0) == 1;
  };
  const auto send_plain = [&](const char* statement) {
    return PQsendQueryParams(connection, statement, 0, nullptr, nullptr, nullptr, nullptr, 0) == 1;
  };
  const bool sent = !read_committed ? send_one()
                                    : PQenterPipelineMode(connection) == 1 &&
                                          send_plain("begin isolation level read committed read write") && send_one() &&
                                          send_plain("commit") && PQpipelineSync(connection) == 1;
  if (!sent) lost();
  const int left = PQflush(connection);
  if (left < 0) lost();
  unsent_ = left > 0;
}

int PgLink::descriptor() const { return PQsocket(connection_.get()); }
short PgLink::events() const { return static_cast<short>(unsent_ ? POLLIN | POLLOUT : POLLIN); }

bool PgLink::advance() {
  auto* connection = connection_.get();
  if (PQconsumeInput(connection) != 1) lost();
  if (unsent_) {
    const int left = PQflush(connection);
    if (left < 0) lost();
    unsent_ = left > 0;
  }
  const auto keep = [this](PGresult* taken) {
    auto result = std::make_unique<PgResult>(taken);
    // Of a transaction in pieces the rows count, or the first failure.
    const bool better = !result_ || (!result_->failed() && (result->failed() || result->rows() > 0));
    if (better) result_ = std::move(result);
  };
  while (PQisBusy(connection) == 0) {
    auto* taken = PQgetResult(connection);
    if (taken == nullptr) {
      if (!pipeline_) return result_ != nullptr;
      if (PQstatus(connection) == CONNECTION_BAD) lost();
      continue;
    }
    if (PQresultStatus(taken) == PGRES_PIPELINE_SYNC) {
      PQclear(taken);
      PQexitPipelineMode(connection);
      pipeline_ = false;
      return true;
    }
    keep(taken);
    if (PQstatus(connection) == CONNECTION_BAD) {
      if (result_->failed()) return true;
      lost();
    }
  }
  return false;
}

PgResult PgLink::take() {
  if (!result_) lost();
  if (*warned_) throw PgFailure("the server committed, but not as durably as it should");
  auto result = std::move(*result_);
  result_.reset();
  return result;
}

PgResult PgLink::run(const std::string& sql, const PgParameters& parameters, TimePoint deadline) {
  send(sql, parameters);
  while (!advance()) wait(events(), std::min(deadline, deadline_), stop_);
  auto result = take();
  if (result.failed()) throw result.failure();
  return result;
}

bool PgLink::clean() const { return PQtransactionStatus(connection_.get()) == PQTRANS_IDLE; }

void PgLink::wait(short events, TimePoint deadline, int stop) const {
  for (;;) {
    std::array<pollfd, 2> waited{{{descriptor(), events, 0}, {stop, POLLIN, 0}}};
    const int ready = ::poll(waited.data(), stop < 0 ? 1 : 2, poll_time(deadline));
    if (waited[1].revents != 0 && stop >= 0) throw PgFailure("the store is being closed");
    if (ready > 0) return;
    if (BootClock::now() >= deadline) throw PgFailure("the server did not answer in time");
  }
}

void PgLink::lost() const {
  auto text = first_line(PQerrorMessage(connection_.get()));
  throw PgFailure(text.empty() ? "the connection is lost" : text);
}

}  // namespace sms::detail
