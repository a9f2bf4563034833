#pragma once

#include "simulator/exchange.hpp"
#include "simulator/ledger.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sms::simulator {

/// One provider's API as its documentation has it. Thread-safe: none has a state.
class ProviderApi {
 public:
  virtual ~ProviderApi() = default;
  virtual std::string name() const = 0;
  /// Whether the request asks for a message to be sent.
  virtual bool is_send(const Request& request) const = 0;
  /// What a request to send says, right or wrong.
  virtual Order glance(const Request& request) const = 0;
  /// The documented refusal of a request to send that is wrong.
  virtual std::optional<Answer> refuse(const Request& request, const Order& order) const = 0;
  virtual std::string new_id(const Order& order, const std::string& hex) const = 0;
  virtual Answer created(const Message& message) const = 0;
  /// The documented error body of a code, with its status. Without a code: an opt-out.
  virtual Answer rejection(const std::optional<std::string>& code) const = 0;
  /// An error of the provider's own, in its own words.
  virtual Answer failure(int status) const = 0;
  virtual Answer rate_limited(int retry_after) const = 0;
  /// Anything but sending; absent when the path is not this provider's.
  virtual std::optional<Answer> look_up(const Request& request, const Ledger& ledger) const = 0;
  /// Adds the header with the provider's ID of the request, made of 32 hex digits.
  virtual void stamp(Answer& answer, const std::string& hex) const = 0;
};

std::unique_ptr<ProviderApi> twilio_api();
std::unique_ptr<ProviderApi> telnyx_api();

/// `+`, a digit 1 to 9, then 1 to 14 digits.
bool is_number(std::string_view text);
bool is_short_code(std::string_view text);
/// A name of at most 11 characters with a letter in it.
bool is_alphanumeric_sender(std::string_view text);
bool is_http_url(std::string_view text);
/// A prefix and 32 hex digits.
bool is_sid(std::string_view text, std::string_view prefix);
std::string uuid_of(const std::string& hex);
/// The user and password of a Basic header, when it is one.
std::optional<std::pair<std::string, std::string>> basic_credentials(std::string_view header);

/// A message counts as sent one second after it was made, unless it is scheduled.
std::optional<std::int64_t> sent_at(const Message& message);

}  // namespace sms::simulator
