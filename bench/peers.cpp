#include "bench/peers.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace sms::bench {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string output_of(const std::string& command) {
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<FILE, Close> pipe(popen((command + " 2>&1").c_str(), "r"));
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const auto size = fread(buffer.data(), 1, buffer.size(), pipe.get())) text.append(buffer.data(), size);
  return text;
}

/// The number that follows `mark`, or stands before it.
double number_after(const std::string& text, const std::string& mark) {
  const auto at = text.rfind(mark);
  if (at == std::string::npos) throw std::runtime_error("not understood: " + text);
  return std::stod(text.substr(at + mark.size()));
}

}  // namespace

double pgbench_rate(const PgbenchLoad& load) {
  const auto file = load.folder + "/pgbench.sql";
  std::ofstream(file) << load.script;
  const auto text = output_of("pgbench --no-vacuum --protocol=prepared --client=" + std::to_string(load.clients) +
                              " --jobs=2 --time=" + std::to_string(load.seconds) + " --file=" + quoted(file) +
                              " --host=" + quoted(load.host) + " --port=" + std::to_string(load.port) +
                              " --username=postgres " + quoted(load.database));
  return number_after(text, "tps = ");
}

double redis_benchmark_rate(std::uint16_t port, std::size_t clients, std::size_t pipeline, std::size_t requests,
                            const std::vector<std::string>& command) {
  auto line = "redis-benchmark -q -r 1000000000 -p " + std::to_string(port) + " -c " + std::to_string(clients) +
              " -P " + std::to_string(pipeline) + " -n " + std::to_string(requests);
  for (const auto& word : command) line += " " + quoted(word);
  const auto text = output_of(
      line + " | tr '\\r' '\\n' | grep 'requests per second' | sed -E 's/.* ([0-9.]+) requests per.*/rate \\1/'");
  return number_after(text, "rate ");
}

}  // namespace sms::bench
