#include "simulator/misbehave.hpp"

namespace sms::simulator {

using namespace std::chrono_literals;

bool misbehave(const Fault& fault, Connection& connection, const ProviderApi& provider, Listener& listener,
               const Usual& usual) {
  const auto end = [&connection, &fault] {
    connection.end(fault.reset);
    return false;
  };
  switch (fault.kind) {
    case FaultKind::delay:
      listener.pause(fault.time.value_or(1s));
      return connection.write(usual());
    case FaultKind::create_late: {
      const auto answer = usual();
      listener.pause(fault.time.value_or(1s));
      return connection.write(answer);
    }
    case FaultKind::create_then_hang:
      usual();
      connection.wait_for_end();
      return false;
    case FaultKind::hang:
      connection.wait_for_end();
      return false;
    case FaultKind::create_then_close:
      usual();
      return end();
    case FaultKind::refuse:
    case FaultKind::close_before_read:
    case FaultKind::close_after_read:
      return end();
    case FaultKind::create_then_status: {
      usual();
      const int status = fault.status.value_or(503);
      return connection.write(status >= 500 ? provider.failure(status) : Answer{status, R"({"error":"an accident"})"});
    }
    case FaultKind::create_then_garbage: {
      auto answer = usual();
      answer.body = "<html>{\"sid\": oops";
      return connection.write(answer);
    }
    case FaultKind::half_response:
      connection.write_half(usual());
      return end();
    case FaultKind::reject:
      return connection.write(provider.rejection(fault.code));
    case FaultKind::bare_status:
      return connection.write({fault.status.value_or(503), ""});
    case FaultKind::rate_limit:
      return connection.write(provider.rate_limited(fault.retry_after));
    case FaultKind::slow_drip:
      return connection.write_slowly(usual(), fault.time.value_or(10ms));
    case FaultKind::keepalive_then_close:
      if (!connection.write(usual())) return false;
      listener.pause(fault.time.value_or(0ms));
      return end();
    case FaultKind::wrong_content_type: {
      auto answer = usual();
      answer.content_type = "text/html";
      return connection.write(answer);
    }
    case FaultKind::redirect: {
      Answer answer{fault.status.value_or(307), ""};
      answer.headers["Location"] = fault.location.empty() ? listener.url() + "/elsewhere" : fault.location;
      return connection.write(answer);
    }
  }
  return false;
}

}  // namespace sms::simulator
