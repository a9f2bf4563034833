#include "bench/fsync_rate.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace sms::bench {

double fsync_rate(const std::string& folder, std::chrono::milliseconds duration) {
  const auto path = folder + "/fsync";
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("cannot write in " + folder);
  constexpr std::size_t page = 4096;
  const std::array<char, page> data{};
  std::size_t count = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < duration) {
    if (write(file, data.data(), data.size()) < 0 || fdatasync(file) != 0) throw std::runtime_error("fsync failed");
    ++count;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  close(file);
  unlink(path.c_str());
  return static_cast<double>(count) / took.count();
}

}  // namespace sms::bench
