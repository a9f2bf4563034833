#include "simulator/times.hpp"

#include <time.h>

#include <chrono>
#include <cstdio>

namespace sms::simulator {
namespace {

std::string formatted(std::int64_t ms, const char* format) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string iso8601(std::int64_t ms) { return formatted(ms, "%Y-%m-%dT%H:%M:%S.000+00:00"); }

std::string rfc2822(std::int64_t ms) { return formatted(ms, "%a, %d %b %Y %H:%M:%S +0000"); }

std::optional<std::int64_t> parse_iso8601(const std::string& text) {
  std::tm parts{};
  const char* rest = strptime(text.c_str(), "%Y-%m-%d", &parts);
  if (rest == nullptr) return std::nullopt;
  if (*rest == 'T') rest = strptime(rest, "T%H:%M:%S", &parts);
  if (rest == nullptr) return std::nullopt;
  if (*rest == '.') {
    do ++rest;
    while (*rest >= '0' && *rest <= '9');
  }
  std::int64_t offset_minutes = 0;
  if (*rest == 'Z') {
    ++rest;
  } else if (*rest == '+' || *rest == '-') {
    int hours = 0;
    int minutes = 0;
    int used = 0;
    if (std::sscanf(rest + 1, "%2d:%2d%n", &hours, &minutes, &used) != 2) return std::nullopt;
    offset_minutes = (*rest == '-' ? -1 : 1) * (hours * 60 + minutes);
    rest += 1 + used;
  }
  if (*rest != '\0') return std::nullopt;
  return (static_cast<std::int64_t>(timegm(&parts)) - offset_minutes * 60) * 1000;
}

}  // namespace sms::simulator
