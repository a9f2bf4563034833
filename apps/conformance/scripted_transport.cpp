#include "conformance/scripted_transport.hpp"

#include <boost/json.hpp>

namespace sms::conformance {
namespace {

namespace json = boost::json;

class RecordedClock : public Clock {
 public:
  explicit RecordedClock(WallTime now) : now_(now), start_(real_->boot_time()) {}

  WallTime now() const override { return now_; }
  BootClock::time_point boot_time() const override { return start_ + (real_->boot_time() - start_) * speed; }
  std::shared_ptr<Timer> after(std::chrono::nanoseconds delay, UniqueFunction<void()> fire) override {
    return real_->after(delay / speed, std::move(fire));
  }

 private:
  static constexpr int speed = 20;
  WallTime now_;
  std::shared_ptr<Clock> real_ = system_clock();
  BootClock::time_point start_;
};

}  // namespace

void ScriptedTransport::exchange(HttpRequest request, ExchangeOptions, std::shared_ptr<AttemptGate> gate,
                                 Callback<HttpExchange> done) {
  gate->started();
  if (!gate->commit()) {
    done(HttpExchange{});
    return;
  }
  auto answer = script_(request);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  if (answer) {
    done(std::move(*answer));
  } else {
    gate->on_release([done = std::move(done)]() mutable { done(lost()); });
  }
}

std::vector<HttpRequest> ScriptedTransport::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

HttpExchange answered(int status, std::vector<Header> headers, std::string body) {
  HttpExchange exchange;
  exchange.evidence = Evidence::answered;
  exchange.status = status;
  exchange.headers = std::move(headers);
  exchange.body = std::move(body);
  return exchange;
}

HttpExchange lost() {
  HttpExchange exchange;
  exchange.evidence = Evidence::lost;
  return exchange;
}

std::shared_ptr<ScriptedTransport> accepting_transport() {
  return std::make_shared<ScriptedTransport>([](const HttpRequest& request) {
    const bool one_uuid = request.url.ends_with("/messages");
    const json::value uuid = one_uuid ? json::value("uuid-1") : json::value(json::array{"uuid-1"});
    const json::object body{{"sid", "SM0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
                            {"status", "queued"},
                            {"data", {{"id", "id-1"}}},
                            {"message_uuid", uuid},
                            {"id", "id-1"}};
    return answered(201, {}, json::serialize(body));
  });
}

std::shared_ptr<Clock> recorded_clock(WallTime now) { return std::make_shared<RecordedClock>(now); }

}  // namespace sms::conformance
