#pragma once

#include <sms/adapter.hpp>

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sms::detail {

struct CodeCategory {
  std::int32_t code;
  RejectionCategory category;
};
/// A provider's codes and what each proves. A code that is not listed proves a rejection, but not of which kind.
using CodeTable = std::span<const CodeCategory>;

/// What a provider's error body says.
struct ErrorBody {
  std::optional<std::int64_t>
      number;  ///< The code, where it has the documented form: the proof that the provider speaks.
  std::string code;
  std::string message;
};

/// Reads a code that is documented as a JSON number; one of another form is kept as text only.
void read_number_code(const boost::json::object& object, ErrorBody& into);
/// Reads a code that is documented as a string of digits; a number will do, too.
void read_digits_code(const boost::json::object& object, ErrorBody& into);

/// The outcome of a status 400 to 499 that can prove a rejection. `listed` is the category that the code proves, where
/// the adapter listens to the code; `details` come with adapter, status and request ID.
AdapterOutcome refuse(const HttpExchange& exchange, const AdapterMessage& message, const ErrorBody& error,
                      std::optional<RejectionCategory> listed, ProviderDetails details);

std::optional<RejectionCategory> category_of(CodeTable table, const ErrorBody& error);

}  // namespace sms::detail
