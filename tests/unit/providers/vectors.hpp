#pragma once

#include <sms/adapter.hpp>

#include <boost/json/value.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sms::test {

/// One case of a vector file that is about an adapter of ours.
struct VectorCase {
  std::string name;
  boost::json::object input;
  boost::json::value output;
};

/// The cases of a file for Twilio and Telnyx.
std::vector<VectorCase> vector_cases(std::string_view file);

/// The adapter that a case's `adapterOptions` describe.
std::shared_ptr<HttpAdapter> adapter_of(std::string_view provider, const boost::json::object& options);

/// The message as that adapter gets it.
AdapterMessage message_of(const Adapter& adapter, const boost::json::object& input);

/// An outcome as the vectors write it.
boost::json::value to_vector(const AdapterOutcome& outcome);

}  // namespace sms::test
