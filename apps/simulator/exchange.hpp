#pragma once

#include "simulator/form.hpp"

#include <map>
#include <string>
#include <string_view>

namespace sms::simulator {

/// A request as it arrived. Header names are in lower case.
struct Request {
  std::string method;
  std::string path;
  Form query;
  std::map<std::string, std::string, std::less<>> headers;
  std::string body;
  int connection = 0;     ///< From 1.
  int on_connection = 0;  ///< From 1: a later one came on a reused connection.

  std::string_view header(std::string_view name) const {
    const auto at = headers.find(name);
    return at == headers.end() ? std::string_view() : std::string_view(at->second);
  }
};

struct Answer {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  std::map<std::string, std::string> headers = {};
};

}  // namespace sms::simulator
