#pragma once

#include <sms/adapter.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sms::testing {

/// What the contract's checks need to know of one provider. Both answers are whole ones (`Evidence::answered`).
struct AdapterSamples {
  /// A message that the adapter can send, with a body that holds a code of four or more digits, as one-time passwords
  /// do.
  AdapterMessage message;
  /// An answer by which the provider takes the message, and the ID in its body.
  HttpExchange accepted;
  std::string provider_id;
  /// A 4xx answer with the provider's error body. The checks put the message's body and number where its text has
  /// `{echo}`.
  HttpExchange rejected;
};

/// One rule that every HTTP adapter must keep.
struct ContractCheck {
  std::string_view name;  ///< For test names: letters and underscores.
  std::string_view rule;
  /// What breaks the rule; empty when nothing does.
  std::vector<std::string> (*faults)(HttpAdapter& adapter, const AdapterSamples& samples);
};

/// The contract of HTTP adapters, check by check, for any test framework:
///
///     for (const auto& check : sms::testing::adapter_contract()) EXPECT_THAT(check.faults(adapter, samples),
///     IsEmpty());
std::span<const ContractCheck> adapter_contract();

}  // namespace sms::testing
