#include "stores/redis/options.hpp"

#include <sms/error.hpp>
#include <sms/stores/redis.hpp>

#include "core/duration_text.hpp"
#include "core/text.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <string>

namespace sms {
namespace {

using std::chrono::milliseconds;

[[noreturn]] void fail(const std::string& rule) { throw ConfigurationError("store url: redis: " + rule); }

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    const char* const hex = text.data() + i + 1;
    if (i + 2 >= text.size() || std::from_chars(hex, hex + 2, byte, 16).ptr != hex + 2) {
      fail("% must be followed by two hex digits");
    }
    out += static_cast<char>(byte);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) fail("NUL is not allowed");
  return out;
}

template <class Number>
Number number(std::string_view text, Number least, Number most, const std::string& what) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    fail(what + " must be a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

bool boolean(std::string_view text, const std::string& what) {
  if (text == "true") return true;
  if (text == "false") return false;
  fail(what + " must be true or false");
}

void read_user(std::string_view text, RedisOptions& options) {
  const std::size_t colon = text.find(':');
  options.user = decoded(text.substr(0, colon));
  if (colon != std::string_view::npos) options.password = decoded(text.substr(colon + 1));
  if (options.password.empty()) fail("a user needs a password, as in redis://user:password@host");
}

void read_host(std::string_view text, RedisOptions& options) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) fail("[ of an IPv6 address is not closed");
    options.host = std::string(text.substr(1, end - 1));
    const auto rest = text.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') fail("only a port may follow an IPv6 address");
    if (!rest.empty()) port = rest.substr(1);
  } else {
    const std::size_t colon = text.find(':');
    options.host = decoded(text.substr(0, colon));
    if (colon != std::string_view::npos) port = text.substr(colon + 1);
  }
  if (options.host.empty()) fail("the host is missing");
  constexpr std::uint16_t most = std::numeric_limits<std::uint16_t>::max();
  if (!port.empty()) options.port = number<std::uint16_t>(port, 1, most, "the port");
}

void read_parameter(std::string_view name, const std::string& value, RedisOptions& options) {
  const std::string what(name);
  const auto duration = [&] {
    const auto parsed = detail::parse_duration(value);
    if (!parsed) fail(what + " " + std::string(detail::duration_rule));
    return *parsed;
  };
  if (name == "prefix") {
    options.prefix = value;
  } else if (name == "ca_file") {
    options.ca_file = value;
  } else if (name == "operation_timeout") {
    options.operation_timeout = duration();
  } else if (name == "wait_replicas") {
    options.wait_replicas = number(value, 0, detail::most_replicas, what);
  } else if (name == "wait_timeout") {
    options.wait_timeout = duration();
  } else if (name == "allow_eviction") {
    options.allow.eviction = boolean(value, what);
  } else if (name == "allow_no_persistence") {
    options.allow.no_persistence = boolean(value, what);
  } else if (name == "allow_old_version") {
    options.allow.old_version = boolean(value, what);
  } else {
    fail(
        "known parameters are prefix, ca_file, operation_timeout, wait_replicas, wait_timeout, allow_eviction, "
        "allow_no_persistence and allow_old_version");
  }
}

void read_parameters(std::string_view query, RedisOptions& options) {
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const auto parameter = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos) fail("a parameter has the form name=value");
    read_parameter(parameter.substr(0, equals), decoded(parameter.substr(equals + 1)), options);
  }
}

}  // namespace

RedisOptions redis_options(std::string_view url) {
  RedisOptions options;
  if (url.starts_with("rediss://")) {
    options.tls = true;
  } else if (!url.starts_with("redis://")) {
    fail("must begin with redis:// or rediss://");
  }
  url.remove_prefix(url.find("//") + 2);
  if (url.find('#') != std::string_view::npos) fail("# must be written as %23");
  if (const std::size_t query = url.find('?'); query != std::string_view::npos) {
    read_parameters(url.substr(query + 1), options);
    url = url.substr(0, query);
  }
  if (const std::size_t slash = url.find('/'); slash != std::string_view::npos) {
    const auto database = url.substr(slash + 1);
    constexpr int most = std::numeric_limits<int>::max();
    if (!database.empty()) options.database = number(database, 0, most, "the database after the host");
    url = url.substr(0, slash);
  }
  if (const std::size_t at = url.rfind('@'); at != std::string_view::npos) {
    read_user(url.substr(0, at), options);
    url = url.substr(at + 1);
  }
  read_host(url, options);
  return detail::checked(std::move(options));
}

namespace detail {

RedisOptions checked(RedisOptions options) {
  const auto require = [](bool holds, const char* rule) {
    if (!holds) throw ConfigurationError(std::string("redis store: ") + rule);
  };
  const auto sensible = [](milliseconds time) { return time > milliseconds(0) && time <= std::chrono::hours(1); };
  require(!options.host.empty() && !has_control_character(options.host), "host must be a name or an address");
  require(options.port != 0, "port must not be 0");
  require(options.database >= 0, "database must not be negative");
  require(options.prefix.find_first_of("{}") == std::string::npos, "prefix must not hold { or }");
  require(!has_control_character(options.prefix), "prefix must not hold control characters");
  require(options.user.empty() || !options.password.empty(), "a user needs a password");
  require(options.ca_file.empty() || options.tls, "ca_file needs TLS (rediss://)");
  require(sensible(options.operation_timeout), "operation_timeout must be more than zero and at most one hour");
  require(sensible(options.wait_timeout), "wait_timeout must be more than zero and at most one hour");
  require(options.wait_replicas >= 0 && options.wait_replicas <= most_replicas, "wait_replicas must be from 0 to 100");
  require(options.wait_replicas == 0 || options.wait_timeout < options.operation_timeout,
          "wait_timeout must be shorter than operation_timeout");
  require(options.max_waiting > 0, "max_waiting must be at least 1");
  return options;
}

}  // namespace detail
}  // namespace sms
