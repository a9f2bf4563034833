#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace sms {

/// Port: randomness. The default takes every byte from the operating system, since reservation IDs must differ between
/// forks and copied machines; a seeded one belongs into tests alone.
class Entropy {
 public:
  virtual ~Entropy() = default;
  /// 128 random bits. Safe from any thread.
  virtual std::array<std::uint8_t, 16> draw() = 0;
};

/// getrandom(2), unbuffered.
std::shared_ptr<Entropy> system_entropy();

}  // namespace sms
