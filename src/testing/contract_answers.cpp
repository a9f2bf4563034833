#include "testing/contract_checks.hpp"

#include <array>
#include <exception>
#include <utility>

namespace sms::testing::checks {
namespace {

constexpr std::array late_statuses = {408, 409, 425, 499};

HttpExchange with_status(HttpExchange exchange, int status) {
  exchange.status = status;
  return exchange;
}

HttpExchange with_body(HttpExchange exchange, std::string body) {
  exchange.body = std::move(body);
  return exchange;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

bool is_unknown(const AdapterOutcome& outcome, UnknownReason reason) {
  const auto* const unknown = std::get_if<Unknown>(&outcome);
  return unknown != nullptr && unknown->reason == reason;
}

/// What a provider, or something on the way to it, may answer with any status.
std::vector<HttpExchange> answers_with(int status, const AdapterSamples& samples) {
  HttpExchange bare;
  bare.evidence = Evidence::answered;
  return {with_status(samples.accepted, status), with_status(samples.rejected, status), with_status(bare, status)};
}

Faults expect_unknown(HttpAdapter& adapter, const AdapterSamples& samples, int status, UnknownReason reason) {
  for (const auto& answer : answers_with(status, samples)) {
    if (!is_unknown(adapter.outcome_of(answer, samples.message), reason)) {
      return {std::to_string(status) + " is not unknown / " + std::string(to_string(reason))};
    }
  }
  return {};
}

void append(Faults& to, Faults from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Faults accepts(HttpAdapter& adapter, const AdapterSamples& samples) {
  const AdapterOutcome outcome = adapter.outcome_of(samples.accepted, samples.message);
  const auto* const accepted = std::get_if<Accepted>(&outcome);
  if (accepted != nullptr && accepted->provider_id == samples.provider_id) return {};
  return {"the sample of a success is not accepted with its ID"};
}

Faults accepts_whole_answers(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (std::size_t length = 0; length < samples.accepted.body.size(); ++length) {
    const auto part = with_body(samples.accepted, samples.accepted.body.substr(0, length));
    if (!std::holds_alternative<Unknown>(adapter.outcome_of(part, samples.message))) {
      faults.push_back("the first " + std::to_string(length) + " bytes of a success are not unknown");
    }
  }
  return faults;
}

Faults accepts_usable_ids(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (const auto& id : {std::string(), std::string(256, 'a'), samples.provider_id + "\\u0000",
                         samples.provider_id + "\\n", samples.provider_id + "\\ud83d\\ude00"}) {
    const auto answer = with_body(samples.accepted, replaced(samples.accepted.body, samples.provider_id, id));
    if (!std::holds_alternative<Unknown>(adapter.outcome_of(answer, samples.message))) {
      faults.push_back("an ID of " + std::to_string(id.size()) + " characters is not unknown");
    }
  }
  return faults;
}

Faults server_errors(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (int status = 500; status < 600; ++status) {
    append(faults, expect_unknown(adapter, samples, status, UnknownReason::server_error));
  }
  return faults;
}

Faults redirects(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (const int first : {100, 300}) {
    for (int status = first; status < first + 100; ++status) {
      append(faults, expect_unknown(adapter, samples, status, UnknownReason::unexpected_status));
    }
  }
  return faults;
}

Faults late_client_errors(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (const int status : late_statuses) {
    append(faults, expect_unknown(adapter, samples, status, UnknownReason::unexpected_status));
  }
  return faults;
}

Faults bare_statuses(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (int status = 400; status < 500; ++status) {
    for (const auto* const body : {"", "{}", "[]", "<html><h1>Forbidden</h1></html>", R"({"message":"Forbidden"})"}) {
      const auto answer = with_status(with_body(samples.rejected, body), status);
      const AdapterOutcome outcome = adapter.outcome_of(answer, samples.message);
      const auto* const rejected = std::get_if<Rejected>(&outcome);
      if (std::holds_alternative<Accepted>(outcome) || (rejected != nullptr && rejected->proof != Proof::status)) {
        faults.push_back("a bare " + std::to_string(status) + " proves more than its status");
      }
    }
  }
  return faults;
}

Faults bare_429(HttpAdapter& adapter, const AdapterSamples& samples) {
  const auto answer = with_status(with_body(samples.rejected, ""), 429);
  if (is_unknown(adapter.outcome_of(answer, samples.message), UnknownReason::unexpected_status)) return {};
  return {"a bare 429 is not unknown / unexpected_status"};
}

Faults evidence_first(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  for (HttpExchange exchange : {samples.accepted, samples.rejected}) {
    for (const Evidence evidence : {Evidence::lost, Evidence::cut}) {
      exchange.evidence = evidence;
      if (!is_unknown(adapter.outcome_of(exchange, samples.message), UnknownReason::network)) {
        faults.push_back("an exchange that was lost or cut is not unknown / network");
      }
    }
    exchange.evidence = Evidence::not_sent;
    const AdapterOutcome outcome = adapter.outcome_of(exchange, samples.message);
    const auto* const rejected = std::get_if<Rejected>(&outcome);
    if (rejected == nullptr || rejected->category != RejectionCategory::unreachable ||
        rejected->proof != Proof::transport) {
      faults.push_back("a request that never left is not rejected / unreachable by the transport's proof");
    }
  }
  return faults;
}

Faults silent_details(HttpAdapter& adapter, const AdapterSamples& samples) {
  const std::string echo = samples.message.body + " " + samples.message.to;
  const auto answer = with_body(samples.rejected, replaced(samples.rejected.body, "{echo}", echo));
  if (answer.body == samples.rejected.body) return {"the sample of a rejection has no {echo}"};
  const AdapterOutcome outcome = adapter.outcome_of(answer, samples.message);
  const auto* const rejected = std::get_if<Rejected>(&outcome);
  if (rejected == nullptr) return {"the sample of a rejection is not rejected"};

  Faults faults;
  const ProviderDetails& details = rejected->details;
  for (const auto& text : {details.code, details.message, details.request_id}) {
    if (!text) continue;
    if (text->find(samples.message.to.substr(1)) != std::string::npos) faults.push_back("details hold the number");
    if (text->find(samples.message.body) != std::string::npos) faults.push_back("details hold the body");
  }
  return faults;
}

Faults retry_after(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  HttpExchange answer = samples.rejected;
  answer.headers.push_back({"Retry-After", "7"});
  for (int status = 400; status < 500; ++status) {
    const AdapterOutcome outcome = adapter.outcome_of(with_status(answer, status), samples.message);
    const auto* const rejected = std::get_if<Rejected>(&outcome);
    if (rejected != nullptr && rejected->retry_after && rejected->category != RejectionCategory::rate_limited) {
      faults.push_back(std::to_string(status) + " carries Retry-After without being a rate limit");
    }
  }
  return faults;
}

Faults hostile_bodies(HttpAdapter& adapter, const AdapterSamples& samples) {
  const std::string& body = samples.accepted.body;
  const std::vector<std::string> bodies = {
      std::string(100'000, '['),
      std::string(100'000, '{'),
      R"({"a":)" + std::string(50'000, '['),
      std::string(1 << 16, '\0'),
      body + body,
      "\xFF" + body,
      "{\"a\":1e999999999}",
      "{\"a\":\"\\ud800\"}",
      "{\"a\":\"\xC0\xAF\"}",
      "{\"a\":99999999999999999999999999}",
      "<!-- " + body + " -->",
  };
  Faults faults;
  for (const int status : {200, 201, 400, 403, 429}) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const std::string which = "hostile body " + std::to_string(i) + " with " + std::to_string(status);
      try {
        const auto answer = with_status(with_body(samples.accepted, bodies[i]), status);
        if (std::holds_alternative<Accepted>(adapter.outcome_of(answer, samples.message)))
          faults.push_back(which + " is accepted");
      } catch (const std::exception&) {
        faults.push_back(which + " throws");
      }
    }
  }
  return faults;
}

}  // namespace sms::testing::checks
