#include <sms/adapter.hpp>
#include <sms/error.hpp>
#include <sms/redaction.hpp>

#include <utility>

namespace sms {
namespace {

/// Client errors that servers and gateways also answer after the request was passed on.
bool proves_nothing(int status) noexcept { return status == 408 || status == 409 || status == 425 || status == 499; }

}  // namespace

void HttpAdapter::send(AdapterMessage message, SendContext context, Callback<AdapterOutcome> done) {
  HttpRequest request;
  try {
    if (!context.transport) throw ConfigurationError("transport is missing: this adapter sends over HTTP");
    request = build(message, context);
  } catch (...) {
    context.gate->cancel(AttemptGate::Reason::none);
    throw;
  }

  ExchangeOptions options;
  options.timeout = context.timeout;
  options.keep_open = context.late_answer_window;
  options.reuse = connection_reuse();
  context.transport->exchange(std::move(request), options, context.gate,
                              [this, message = std::move(message), now = context.now,
                               done = std::move(done)](Expected<HttpExchange> answer) mutable {
                                if (!answer) return done(answer.error_ptr());
                                answer->at = now + answer->duration;
                                done(outcome_of(*answer, message));
                              });
}

AdapterOutcome HttpAdapter::outcome_of(const HttpExchange& exchange, const AdapterMessage& message) const {
  switch (exchange.evidence) {
    case Evidence::not_sent: {
      ProviderDetails details;
      details.provider = info().name;
      if (!exchange.failure.empty()) details.message = redact_provider_text(exchange.failure, message.body, message.to);
      return Rejected{RejectionCategory::unreachable, Proof::transport, {}, std::move(details)};
    }
    case Evidence::lost:
      return Unknown{UnknownReason::network, {}};
    case Evidence::cut:
      return Unknown{UnknownReason::network, details_of(exchange, message)};
    case Evidence::answered:
      break;
  }
  const int status = exchange.status;
  if (status >= 500) return Unknown{UnknownReason::server_error, details_of(exchange, message)};
  if (status < 200 || (status >= 300 && status < 400) || proves_nothing(status)) {
    return Unknown{UnknownReason::unexpected_status, details_of(exchange, message)};
  }
  return classify(exchange, message);
}

ProviderDetails HttpAdapter::details_of(const HttpExchange& exchange, const AdapterMessage& message) const {
  ProviderDetails details;
  details.provider = info().name;
  if (exchange.status != 0) details.http_status = exchange.status;
  const std::string* const request_id = request_id_header().empty() ? nullptr : exchange.header(request_id_header());
  if (request_id != nullptr) details.request_id = redact_provider_text(*request_id, message.body, message.to);
  return details;
}

}  // namespace sms
