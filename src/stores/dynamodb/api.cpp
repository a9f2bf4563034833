#include "stores/dynamodb/api.hpp"

#include <sms/adapter_kit.hpp>
#include <sms/entropy.hpp>
#include <sms/error.hpp>

#include "stores/dynamodb/sigv4.hpp"
#include "stores/dynamodb/verdict.hpp"

#include <algorithm>
#include <utility>

namespace sms::detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// As HTTP clients write it: without a port that the scheme implies.
std::string host_of(const std::string& endpoint) {
  const bool https = endpoint.starts_with("https://");
  auto host = endpoint.substr(endpoint.find("://") + 3);
  const std::string_view implied = https ? ":443" : ":80";
  if (host.ends_with(implied)) host.resize(host.size() - implied.size());
  return host;
}

/// Full jitter: anything from nothing to a bound that doubles.
nanoseconds backoff(int tries) {
  const auto bound = std::min<nanoseconds>(25ms * (1 << std::min(tries, 6)), 1s);
  const auto bytes = system_entropy()->draw();
  const auto random = static_cast<unsigned>(bytes[0]) << 8U | bytes[1];
  return bound * random / 65'536;
}

}  // namespace

DynamoApi::DynamoApi(const DynamodbOptions& options)
    : transport_(options.transport),
      timers_(options.clock),
      endpoint_(options.endpoint),
      host_(host_of(options.endpoint)),
      region_(options.region),
      longest_try_(std::max(options.operation_timeout / 3, 250ms)),
      clock_(options.clock),
      credentials_(options.credentials, clock_) {}

Task<DynamoAnswer> DynamoApi::call(std::string action, std::string body, Operation& operation) {
  bool resigned = false, renewed = false;
  for (int tries = 0;; ++tries) {
    if (operation.over()) throw operation.given_up();
    auto credentials = co_await credentials_.get(operation);
    const auto signed_at = clock_.now();
    const auto exchanged = co_await exchange(action, body, credentials, operation);
    auto verdict = verdict_on(exchanged);
    switch (verdict.kind) {
      case Verdict::Kind::done:
        co_return std::move(verdict.answer);
      case Verdict::Kind::wrong_time:
        // Its answer has told the time. A signature that is wrong for another reason stays wrong.
        if (resigned || std::chrono::abs(clock_.now() - signed_at) < 30s) throw DynamoRefusal(action, verdict.reason);
        resigned = true;
        continue;
      case Verdict::Kind::wrong_credentials:
        if (renewed) throw DynamoRefusal(action, verdict.reason);
        renewed = true;
        credentials_.refused(credentials);
        continue;
      case Verdict::Kind::refused:
        throw DynamoRefusal(action, verdict.reason);
      case Verdict::Kind::again:
        break;
    }
    operation.note(action + ": " + verdict.reason);
    co_await pause(backoff(tries), operation);
  }
}

Task<void> DynamoApi::pause(nanoseconds time, Operation& operation) {
  auto over = std::make_shared<Rendezvous<bool>>();
  operation.on_over([over] { over->offer(true); });
  const auto timer = timers_->after(time, [over] { over->offer(true); });
  co_await *over;
  timer->cancel();
  operation.on_over({});
}

Task<HttpExchange> DynamoApi::exchange(const std::string& action, const std::string& body, AwsCredentials credentials,
                                       Operation& operation) {
  HttpRequest request;
  request.url = endpoint_ + "/";
  request.body = body;
  request.headers.push_back({"Content-Type", "application/x-amz-json-1.0"});
  request.headers.push_back({"X-Amz-Target", "DynamoDB_20120810." + action});
  const SigningScope scope{region_, "dynamodb"};
  sign(request, host_, scope, credentials, clock_.now());
  request.headers.push_back({"User-Agent", std::string(user_agent())});

  ExchangeOptions options;
  options.timeout = time_for_one_try(operation);
  // What has not left when the operation is over never leaves.
  const auto gate = std::make_shared<AttemptGate>([clock = timers_, until = operation.deadline()] {
    return clock->boot_time() < until ? AttemptGate::Reason::none : AttemptGate::Reason::deadline;
  });
  operation.on_over([gate] {
    if (!gate->cancel(AttemptGate::Reason::deadline)) gate->abandon();
  });
  const auto answer = std::make_shared<Rendezvous<Expected<HttpExchange>>>();
  const auto sent = clock_.boot_time();
  transport_->exchange(std::move(request), options, gate,
                       [answer](Expected<HttpExchange> result) { answer->offer(std::move(result)); });
  auto result = co_await *answer;
  operation.on_over({});
  if (!result) {
    HttpExchange failed;
    failed.failure = result.error().what();
    co_return failed;
  }
  if (const auto* date = result->header("Date")) clock_.observe(*date, sent);
  co_return *std::move(result);
}

milliseconds DynamoApi::time_for_one_try(const Operation& operation) const {
  const auto left = std::chrono::ceil<milliseconds>(operation.deadline() - clock_.boot_time());
  return std::clamp(left, 1ms, longest_try_);
}

}  // namespace sms::detail
