#include "testing/contract_checks.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace sms::testing::checks {
namespace {

std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

bool is_header_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
  });
}

bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

/// Answers every exchange with one answer, at once, and counts.
class OneAnswerTransport final : public Transport {
 public:
  explicit OneAnswerTransport(HttpExchange answer) : answer_(std::move(answer)) {}

  void exchange(HttpRequest, ExchangeOptions, std::shared_ptr<AttemptGate> gate, Callback<HttpExchange> done) override {
    ++exchanges;
    gate->started();
    HttpExchange answer = answer_;
    if (!gate->commit()) {
      answer = {};
    }
    done(std::move(answer));
  }

  int exchanges = 0;

 private:
  HttpExchange answer_;
};

}  // namespace

Faults one_recipient(HttpAdapter& adapter, const AdapterSamples& samples) {
  const HttpRequest request = adapter.build(samples.message, {});
  const std::string_view digits = std::string_view(samples.message.to).substr(1);
  const std::size_t count = occurrences(request.url, digits) + occurrences(request.body, digits);
  if (count == 1) return {};
  return {"the request names the recipient " + std::to_string(count) + " times"};
}

Faults needed_headers(HttpAdapter& adapter, const AdapterSamples& samples) {
  Faults faults;
  HttpExchange headers_of;
  headers_of.headers = adapter.build(samples.message, {}).headers;
  for (const auto* const name : {"Content-Type", "Accept", "User-Agent"}) {
    const std::string* const value = headers_of.header(name);
    if (value == nullptr || value->empty()) faults.push_back(std::string("no ") + name);
  }
  return faults;
}

Faults single_lines(HttpAdapter& adapter, const AdapterSamples& samples) {
  AdapterMessage message = samples.message;
  message.body += std::string("\r\nX-Injected: 1\r\n\r\n\0", 20);
  if (adapter.info().capabilities.webhook_url_override) message.webhook_url = "https://example.com/\r\nX-Injected: 1";
  const HttpRequest request = adapter.build(message, {});

  Faults faults;
  if (!is_one_line(request.url)) faults.push_back("the URL has a line break or NUL");
  if (!is_one_line(request.method)) faults.push_back("the method has a line break or NUL");
  for (const auto& header : request.headers) {
    if (!is_header_name(header.name)) faults.push_back("a header's name is not a token");
    if (!is_one_line(header.value)) faults.push_back("the value of " + header.name + " has a line break or NUL");
  }
  return faults;
}

Faults pure_build(HttpAdapter& adapter, const AdapterSamples& samples) {
  const HttpRequest first = adapter.build(samples.message, {});
  const HttpRequest second = adapter.build(samples.message, {});
  if (first.method == second.method && first.url == second.url && first.body == second.body) return {};
  return {"two builds of one message differ"};
}

Faults sends_once(HttpAdapter& adapter, const AdapterSamples& samples) {
  const auto transport = std::make_shared<OneAnswerTransport>(samples.accepted);
  SendContext context;
  context.transport = transport;
  context.gate = std::make_shared<AttemptGate>();
  int answers = 0;
  bool accepted = false;
  adapter.send(samples.message, context, [&](Expected<AdapterOutcome> outcome) {
    ++answers;
    accepted = outcome && std::holds_alternative<Accepted>(*outcome);
  });

  Faults faults;
  if (transport->exchanges != 1) faults.push_back(std::to_string(transport->exchanges) + " exchanges");
  if (answers != 1) faults.push_back(std::to_string(answers) + " answers");
  if (!accepted) faults.push_back("the answer was not accepted");
  if (context.gate->state() != AttemptGate::State::committed) faults.push_back("the gate was not the one of the send");
  return faults;
}

}  // namespace sms::testing::checks
