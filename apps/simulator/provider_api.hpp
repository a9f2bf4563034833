#pragma once

#include "simulator/exchange.hpp"
#include "simulator/ledger.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sms::simulator {

/// One provider's API as its documentation has it.
class ProviderApi {
 public:
  virtual ~ProviderApi() = default;
  virtual std::string name() const = 0;
  /// Whether the request asks for a message to be sent.
  virtual bool is_send(const Request& request) const = 0;
  /// The message that the request asks for, or the documented refusal.
  virtual std::variant<Order, Answer> read(const Request& request) const = 0;
  /// What an order says even of a request that is refused, for the ledger.
  virtual Order glance(const Request& request) const = 0;
  virtual std::string new_id(const Order& order, const std::string& hex) const = 0;
  virtual Answer created(const Message& message, const Request& request) const = 0;
  /// The documented error body of a code, with its status.
  virtual Answer refusal(const std::string& code) const = 0;
  virtual Answer rate_limited(int retry_after) const = 0;
  /// Anything but sending; absent when the path is not this provider's.
  virtual std::optional<Answer> look_up(const Request& request, const Ledger& ledger) const = 0;
};

std::vector<std::unique_ptr<ProviderApi>> all_providers();
std::unique_ptr<ProviderApi> twilio_api();
std::unique_ptr<ProviderApi> telnyx_api();

/// `+`, a digit 1 to 9, then 1 to 14 digits.
bool is_number(std::string_view text);
/// The user and password of a Basic header, when it is one.
std::optional<std::pair<std::string, std::string>> basic_credentials(std::string_view header);

}  // namespace sms::simulator
