#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sms {

/// JSON fields of a stored record that this version does not know, or whose word it does not know: name and raw JSON
/// text, in the order read. They are kept and written back, so that a newer version or another implementation of the
/// same contract loses nothing. A foreign field that has the name of a known one replaces that one's text.
using ForeignFields = std::vector<std::pair<std::string, std::string>>;

}  // namespace sms
