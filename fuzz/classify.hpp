#pragma once

#include <sms/adapter.hpp>
#include <sms/adapter_kit.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace sms::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Reads the input as a status and a body, and checks what no answer may ever lead to.
inline void classify(const HttpAdapter& adapter, const std::uint8_t* data, std::size_t size) {
  if (size < 2) return;
  AdapterMessage message;
  message.to = "+14155550123";
  message.body = "Your code is 918273";
  HttpExchange exchange;
  exchange.evidence = Evidence::answered;
  exchange.status = 100 + (data[0] * 256 + data[1]) % 500;
  exchange.body.assign(data + 2, data + size);

  const AdapterOutcome outcome = adapter.outcome_of(exchange, message);
  const int status = exchange.status;
  if (const auto* const accepted = std::get_if<Accepted>(&outcome)) {
    require(status >= 200 && status < 300 && is_provider_id(accepted->provider_id));
  } else if (const auto* const rejected = std::get_if<Rejected>(&outcome)) {
    require(status >= 400 && status < 500);
    require(status != 408 && status != 409 && status != 425 && status != 499);
    require(status != 429 || rejected->category == RejectionCategory::rate_limited);
    for (const auto& text : {rejected->details.code, rejected->details.message}) {
      require(!text || (text->find("918273") == std::string::npos && text->find("4155550123") == std::string::npos));
    }
  }
}

}  // namespace sms::fuzz
