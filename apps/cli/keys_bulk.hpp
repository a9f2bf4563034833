#pragma once

#include "commands.hpp"

namespace sms::cli {

/// `keys resolve --from-csv`: many keys, each as its line of the file says.
ExitCode settle_from_file(const Session& session, const KeysResolveArguments& arguments);

}  // namespace sms::cli
