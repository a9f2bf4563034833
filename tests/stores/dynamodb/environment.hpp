#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sms::tests {

/// Clears variables of the environment, and puts them back at its end. Only while no other thread reads them.
class Environment {
 public:
  explicit Environment(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      const char* value = std::getenv(name.c_str());
      before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      unsetenv(name.c_str());
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : before_) {
      unsetenv(name.c_str());
      if (value) setenv(name.c_str(), value->c_str(), 1);
    }
  }

  void set(const std::string& name, const std::string& value) { setenv(name.c_str(), value.c_str(), 1); }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace sms::tests
