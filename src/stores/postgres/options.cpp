#include <sms/error.hpp>
#include <sms/stores/postgres.hpp>

#include "core/duration_text.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sms {
namespace {

using std::chrono::milliseconds;

std::size_t whole_number(std::string_view name, std::string_view text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number > 1'000'000) {
    throw ConfigurationError("store url: " + std::string(name) + " must be a whole number");
  }
  return number;
}

/// Also a bare number of seconds, as libpq's own `connect_timeout` is written.
milliseconds duration(std::string_view name, std::string_view text) {
  if (text.find_first_not_of("0123456789") == std::string_view::npos)
    return std::chrono::seconds(whole_number(name, text));
  const auto parsed = detail::parse_duration(text);
  if (!parsed) throw ConfigurationError("store url: " + std::string(name) + " " + std::string(detail::duration_rule));
  return *parsed;
}

/// True where the parameter is one of ours, not of libpq.
bool take_option(PostgresOptions& options, std::string_view name, std::string_view value) {
  if (name == "operation_timeout") {
    options.operation_timeout = duration(name, value);
  } else if (name == "connect_timeout") {
    options.connect_timeout = duration(name, value);
  } else if (name == "connections") {
    options.connections = whole_number(name, value);
  } else if (name == "max_batch") {
    options.max_batch = whole_number(name, value);
  } else if (name == "after_failover") {
    if (value != "refuse" && value != "accept") {
      throw ConfigurationError("store url: after_failover must be refuse or accept");
    }
    options.after_failover =
        value == "accept" ? PostgresOptions::AfterFailover::accept : PostgresOptions::AfterFailover::refuse;
  } else {
    return false;
  }
  return true;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto [end, fault] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      if (fault == std::errc() && end == text.data() + i + 3 && byte != 0) {
        decoded += static_cast<char>(byte);
        i += 2;
        continue;
      }
    }
    decoded += text[i];
  }
  return decoded;
}

std::string quoted(std::string_view value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

struct Parameter {
  std::string_view name, value;
};

/// The parameters that are not ours.
std::vector<Parameter> take_options(PostgresOptions& options, std::string_view query) {
  std::vector<Parameter> rest;
  while (!query.empty()) {
    const auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) throw ConfigurationError("store url: a parameter has no value");
    const Parameter parameter{pair.substr(0, equals), pair.substr(equals + 1)};
    if (!take_option(options, parameter.name, parameter.value)) rest.push_back(parameter);
  }
  return rest;
}

}  // namespace

PostgresOptions postgres_options(std::string_view url) {
  PostgresOptions options;
  const auto mark = url.find('?');
  const auto query = mark == std::string_view::npos ? std::string_view() : url.substr(mark + 1);
  if (url.starts_with("postgres:?")) {
    if (query.find(' ') != std::string_view::npos) {
      options.conninfo = std::string(query);
      return options;
    }
    for (const auto& [name, value] : take_options(options, query)) {
      options.conninfo += std::string(name) + "=" + quoted(percent_decoded(value)) + " ";
    }
    return options;
  }
  if (!url.starts_with("postgres://") && !url.starts_with("postgresql://")) {
    throw ConfigurationError(
        "store url: PostgreSQL takes postgres://HOST/DATABASE or postgres:?host=HOST&dbname=DATABASE");
  }
  options.conninfo = std::string(url.substr(0, mark));
  char before = '?';
  for (const auto& [name, value] : take_options(options, query)) {
    options.conninfo += before + std::string(name) + "=" + std::string(value);
    before = '&';
  }
  return options;
}

}  // namespace sms
