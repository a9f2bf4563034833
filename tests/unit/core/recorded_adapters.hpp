#pragma once

#include <sms/adapter.hpp>

#include <boost/json.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace sms::tests {

using AdapterSet = std::vector<std::shared_ptr<Adapter>>;

/// The adapters that a recorded case names. Plivo and Vonage, which this library does not have, are stood in for by
/// their data.
AdapterSet recorded_adapters(const boost::json::array& names);

}  // namespace sms::tests
