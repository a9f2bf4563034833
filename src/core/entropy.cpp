#include <sms/entropy.hpp>

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace sms {
namespace {

class SystemEntropy final : public Entropy {
 public:
  std::array<std::uint8_t, 16> draw() override {
    std::array<std::uint8_t, 16> bytes{};
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const auto got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw std::system_error(errno, std::generic_category(), "getrandom");
      filled += static_cast<std::size_t>(got);
    }
    return bytes;
  }
};

}  // namespace

std::shared_ptr<Entropy> system_entropy() { return std::make_shared<SystemEntropy>(); }

}  // namespace sms
