#include "store_url.hpp"

#include "usage_error.hpp"

#include <string>

namespace sms::cli {

void refuse_password(std::string_view name, std::string_view url) {
  if (url.find("://") == std::string_view::npos || url.find('@') == std::string_view::npos) return;
  const std::string instead = name == "--store" ? "write the URL into the configuration file or SMS_SDK_STORE"
                                                : "put the URL into a variable and write env:NAME, or file:PATH";
  throw UsageError(std::string(name) + " must not hold a password: " + instead);
}

}  // namespace sms::cli
