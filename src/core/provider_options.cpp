#include <sms/provider_options.hpp>

#include <algorithm>

namespace sms {
namespace {

void put(std::vector<std::pair<std::string, OptionValue>>& list, std::string name, OptionValue value) {
  const auto known = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  if (known != list.end()) {
    known->second = std::move(value);
  } else {
    list.emplace_back(std::move(name), std::move(value));
  }
}

}  // namespace

OptionBag& OptionBag::set(std::string name, OptionValue value) {
  put(values, std::move(name), std::move(value));
  return *this;
}

OptionBag& OptionBag::set_extra(std::string wire_name, OptionValue value) {
  put(extra, std::move(wire_name), std::move(value));
  return *this;
}

}  // namespace sms
