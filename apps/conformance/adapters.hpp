#pragma once

#include <sms/adapter.hpp>

#include <boost/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sms::conformance {

/// Makes the adapter that a vector file calls `name` (a provider, with a suffix for a variant of its options). Throws
/// `Skip` when this build has none, and `ConfigurationError` when the adapter refuses the options.
std::shared_ptr<Adapter> make_adapter(std::string_view name, const boost::json::object& options);

/// The same for one that speaks HTTP.
std::shared_ptr<HttpAdapter> make_http_adapter(std::string_view name, const boost::json::object& options);

/// The adapters of a case, with the options that the file shares, else with some that are valid.
std::vector<std::shared_ptr<Adapter>> make_adapters(const boost::json::array& names, const boost::json::object& shared);

/// Valid options for a provider that a case names without any.
boost::json::object default_options(std::string_view provider);

}  // namespace sms::conformance
