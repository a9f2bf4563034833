#include "stores/redis/node.hpp"

#include <sms/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace sms::detail {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds connect_timeout{2'000};
constexpr milliseconds longest_backoff{1'000};
constexpr milliseconds first_backoff{20};
constexpr milliseconds retry_delay{30};

/// Refusals of a moment: the server did nothing, and will soon.
bool passes_by(std::string_view word) {
  constexpr std::array<std::string_view, 6> words{"LOADING",    "CLUSTERDOWN", "TRYAGAIN",
                                                  "MASTERDOWN", "NOREPLICAS",  "BUSY"};
  return std::ranges::find(words, word) != words.end();
}

/// `MOVED 3999 127.0.0.1:6381`; without a host it is the one that said so.
std::optional<std::pair<std::uint16_t, RedisEndpoint>> redirection(std::string_view text, const RedisEndpoint& here) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  const std::size_t colon = text.rfind(':');
  if (first == std::string_view::npos || second == std::string_view::npos || colon == std::string_view::npos ||
      colon <= second) {
    return std::nullopt;
  }
  std::uint16_t slot = 0;
  RedisEndpoint to;
  const auto number = text.substr(first + 1, second - first - 1);
  const auto port = text.substr(colon + 1);
  if (std::from_chars(number.data(), number.data() + number.size(), slot).ec != std::errc()) return std::nullopt;
  if (std::from_chars(port.data(), port.data() + port.size(), to.port).ec != std::errc()) return std::nullopt;
  to.host = std::string(text.substr(second + 1, colon - second - 1));
  if (to.host.empty()) to.host = here.host;
  return std::pair(slot, std::move(to));
}

}  // namespace

RedisShared::RedisShared(RedisOptions checked_options)
    : options(std::move(checked_options)), names(options.prefix), memory(names) {
  if (options.tls) tls.emplace(options.ca_file);
}

RedisNode::RedisNode(RedisShared& shared, RedisEndpoint endpoint, Owner& owner)
    : shared_(shared), endpoint_(std::move(endpoint)), owner_(owner) {}

void RedisNode::submit(RedisRequestPtr request) {
  if (stage_ == Stage::ready) return write(request);
  if (!refusal_.empty() && BootClock::now() < connect_not_before_) return request->fail(refusal_);
  waiting_.push_back(std::move(request));
}

void RedisNode::flush(BootClock::time_point now) {
  if (!connection_) {
    std::erase_if(waiting_, [](const auto& request) { return request->answered(); });
    if ((!waiting_.empty() || wanted_) && now >= connect_not_before_) connect(now);
    return;
  }
  if (stage_ != Stage::ready && now >= open_until_) return fail("the server did not answer in time");
  guarded([&] {
    end_batch();
    connection_->flush();
  });
}

std::optional<BootClock::time_point> RedisNode::next_event() const {
  if (connection_) return stage_ == Stage::ready ? std::nullopt : std::optional(open_until_);
  return waiting_.empty() && !wanted_ ? std::nullopt : std::optional(connect_not_before_);
}

void RedisNode::proceed() {
  guarded([&] {
    connection_->proceed();
    if (connection_->is_open() && !asked_to_open_) begin_opening();
    while (connection_) {
      auto answer = connection_->next();
      if (!answer) break;
      take(*std::move(answer));
    }
  });
}

template <class Work>
void RedisNode::guarded(Work work) {
  try {
    work();
  } catch (const RedisRefusal& refusal) {
    fail(refusal.what(), true);
  } catch (const RedisLinkFailure& failure) {
    fail(failure.what());
  }
}

void RedisNode::connect(BootClock::time_point now) {
  open_until_ = now + std::min(connect_timeout, shared_.options.operation_timeout);
  guarded([&] {
    connection_ = std::make_unique<RedisConnection>(endpoint_, shared_.tls_if(), attempts_++);
    connection_->proceed();
  });
}

void RedisNode::begin_opening() {
  asked_to_open_ = true;
  stage_ = Stage::opening;
  const auto commands = opening_commands(shared_.options);
  for (const auto& command : commands) append_command(connection_->outbox(), command);
  opening_size_ = commands.size();
  connection_->flush();
}

void RedisNode::take_opening(RespValue answer) {
  opening_.push_back(std::move(answer));
  if (opening_.size() < opening_size_) return;
  facts_ = read_opening(shared_.options, opening_);
  set_clock(facts_.now_ms);
  opening_.clear();
  refuse_problems(facts_, shared_.options);
  stage_ = Stage::joining;
  append_command(connection_->outbox(), shared_.memory.join_command());
  connection_->flush();
}

void RedisNode::take_join(const RespValue& answer) {
  if (facts_.cluster && answer.error_word() == "MOVED") {
    guards_ = false;
    return become_ready();
  }
  if (answer.is_error()) {
    const std::string why = "the server refuses the store's scripts: " + std::string(answer.error_word());
    if (passes_by(answer.error_word())) throw RedisLinkFailure(why);
    throw RedisRefusal(why);
  }
  if (const auto lost = shared_.memory.judge(answer)) throw RedisRefusal(*lost);
  guards_ = true;
  become_ready();
}

void RedisNode::become_ready() {
  stage_ = Stage::ready;
  backoff_ = milliseconds(0);
  refusal_.clear();
  wanted_ = false;
  stale_told_ = shared_.memory.stale_reservation();
  owner_.opened(*this, facts_);
  for (auto& request : std::exchange(waiting_, {})) {
    if (!request->answered()) write(request);
  }
}

void RedisNode::take(RespValue answer) {
  if (stage_ == Stage::opening) return take_opening(std::move(answer));
  if (stage_ == Stage::joining) return take_join(answer);
  if (in_flight_.empty()) throw RedisLinkFailure("the server answers what nobody asked");
  const InFlight entry = std::move(in_flight_.front());
  in_flight_.pop_front();
  switch (entry.kind) {
    case InFlight::Kind::script:
      return take_script(entry.request, std::move(answer));
    case InFlight::Kind::mark:
      if (answer.is_error()) return release_held("the server refuses: " + std::string(answer.error_word()));
      if (const auto lost = shared_.memory.judge_mark(entry.mark, answer)) throw RedisRefusal(*lost);
      if (shared_.options.wait_replicas == 0) release_held({});
      return;
    case InFlight::Kind::wait:
      return release_held(answer.integer < shared_.options.wait_replicas ? "too few replicas have received the write"
                                                                         : std::string());
    case InFlight::Kind::ignored:
      return;
  }
}

void RedisNode::take_script(RedisRequestPtr request, RespValue answer) {
  if (answer.is_error()) return take_error(request, answer);
  if (answer.items.size() < 4 || answer.items[0].text != request->name || answer.items[1].text != request->nonce) {
    in_flight_.push_front({InFlight::Kind::script, std::move(request)});
    throw RedisLinkFailure("an answer belongs to another question");
  }
  const auto& now = answer.items[2].text;
  std::int64_t now_ms = 0;
  std::from_chars(now.data(), now.data() + now.size(), now_ms);
  set_clock(now_ms);
  if (answer.items[3].text == "late") {
    request->under_way = nullptr;
    return owner_.again(std::move(request), milliseconds(0));
  }
  if (answer.items[3].text == "done") raise_stale_reservation(*request);
  if (request->writes && (guards_ || shared_.options.wait_replicas > 0)) {
    held_.emplace_back(std::move(request), std::move(answer));
  } else if (!request->answered()) {
    request->answer(std::move(answer));
  }
}

void RedisNode::raise_stale_reservation(const RedisRequest& request) {
  if (!guards_ || request.stale_reservation <= stale_told_) return;
  stale_told_ = request.stale_reservation;
  append_command(connection_->outbox(), {"EVAL", RedisScripts::raise().text, "1", shared_.names.store(), request.nonce,
                                         "", std::to_string(stale_told_.count())});
  in_flight_.push_back({InFlight::Kind::ignored});
}

void RedisNode::take_error(const RedisRequestPtr& request, const RespValue& answer) {
  const auto word = answer.error_word();
  request->under_way = nullptr;
  if (request->answered()) return;
  if (word == "NOSCRIPT") {
    request->whole_script = true;
    return owner_.again(request, milliseconds(0));
  }
  if (word == "MOVED" || word == "ASK") {
    auto to = redirection(answer.text, endpoint_);
    if (!to) throw RedisLinkFailure("a redirection cannot be read");
    return word == "ASK" ? owner_.ask(request, to->second) : owner_.moved(request, to->first, to->second);
  }
  if (passes_by(word)) {
    request->fault = "the server refuses: " + std::string(word);
    return owner_.again(request, retry_delay);
  }
  if (word == "READONLY") {
    owner_.again(request, milliseconds(0));
    throw RedisLinkFailure("the server has become a replica");
  }
  if (word == "SMSROW") return request->fail("the stored record of this key cannot be read");
  request->fail("the server refuses: " + std::string(word));
}

void RedisNode::release_held(const std::string& fault) {
  for (auto& [request, answer] : std::exchange(held_, {})) {
    if (request->answered()) continue;
    if (!fault.empty() && answer.items[3].text == "done") {
      request->fail(fault);
    } else {
      request->answer(std::move(answer));
    }
  }
}

void RedisNode::write(const RedisRequestPtr& request) {
  auto& out = connection_->outbox();
  if (request->ask) {
    append_command(out, RedisCommand{"ASKING"});
    in_flight_.push_back({InFlight::Kind::ignored});
  }
  std::string until;
  if (request->writes) {
    const auto left = std::chrono::floor<milliseconds>(request->deadline - server_ms_at_);
    until = std::to_string(server_ms_ + left.count());
  }
  std::array<std::string_view, 24> words{request->whole_script ? "EVAL" : "EVALSHA",
                                         request->whole_script ? request->script->text : request->script->sha,
                                         "1",
                                         request->name,
                                         request->nonce,
                                         until};
  std::size_t count = 6;
  for (const auto& argument : request->arguments) words.at(count++) = argument;
  append_command(out, std::span(words).first(count));
  request->ask = false;
  request->under_way = this;
  batch_writes_ |= request->writes;
  in_flight_.push_back({InFlight::Kind::script, request});
}

void RedisNode::end_batch() {
  if (!std::exchange(batch_writes_, false)) return;
  if (guards_) {
    const auto mark = shared_.memory.next_mark();
    append_command(connection_->outbox(), mark.command);
    in_flight_.push_back({InFlight::Kind::mark, nullptr, mark.number});
  }
  if (shared_.options.wait_replicas > 0) {
    append_command(connection_->outbox(), {"WAIT", std::to_string(shared_.options.wait_replicas),
                                           std::to_string(shared_.options.wait_timeout.count())});
    in_flight_.push_back({InFlight::Kind::wait});
  }
}

void RedisNode::fail(const std::string& reason, bool refused) {
  connection_.reset();
  stage_ = Stage::idle;
  asked_to_open_ = false;
  wanted_ = false;
  opening_.clear();
  batch_writes_ = false;
  refusal_ = refused ? reason : std::string();
  connect_not_before_ = BootClock::now() + (refused ? longest_backoff : backoff_);
  backoff_ = std::clamp(backoff_ * 2, first_backoff, longest_backoff);
  owner_.failed(reason);
  const auto give_back = [&](RedisRequestPtr request) {
    if (!request || request->answered()) return;
    request->under_way = nullptr;
    owner_.again(std::move(request), milliseconds(0));
  };
  for (auto& [request, answer] : std::exchange(held_, {})) give_back(std::move(request));
  for (auto& entry : std::exchange(in_flight_, {})) give_back(std::move(entry.request));
  for (auto& request : std::exchange(waiting_, {})) {
    if (request->answered()) continue;
    refused ? request->fail(reason) : owner_.again(std::move(request), retry_delay);
  }
}

}  // namespace sms::detail
