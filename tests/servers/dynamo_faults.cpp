#include "servers/dynamo_faults.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace sms::tests {
namespace {

using Kind = DynamoFault::Kind;

constexpr std::array kinds = {std::pair("throttle", Kind::throttle),
                              std::pair("error", Kind::error),
                              std::pair("cut", Kind::cut),
                              std::pair("lose_answer", Kind::lose_answer),
                              std::pair("delay_execution", Kind::delay_execution),
                              std::pair("delay_answer", Kind::delay_answer),
                              std::pair("hide_item", Kind::hide_item)};

DynamoFault fault_of(const boost::json::object& from) {
  DynamoFault fault;
  const auto word = from.at("kind").as_string();
  bool known = false;
  for (const auto& [name, kind] : kinds) {
    if (word != name) continue;
    fault.kind = kind;
    known = true;
  }
  if (!known) throw std::invalid_argument("no such kind of fault");
  if (const auto* value = from.if_contains("action")) fault.action = std::string(value->as_string());
  if (const auto* value = from.if_contains("part")) fault.part = std::string(value->as_string());
  if (const auto* value = from.if_contains("error")) fault.error = std::string(value->as_string());
  if (const auto* value = from.if_contains("times")) fault.times = value->to_number<int>();
  if (const auto* value = from.if_contains("status")) fault.status = value->to_number<int>();
  if (const auto* value = from.if_contains("probability")) fault.probability = value->to_number<double>();
  if (const auto* value = from.if_contains("ms")) fault.delay = std::chrono::milliseconds(value->to_number<int>());
  return fault;
}

}  // namespace

void DynamoFaults::add(DynamoFault fault) {
  const std::lock_guard lock(mutex_);
  faults_.push_back(std::move(fault));
}

void DynamoFaults::clear() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
}

void DynamoFaults::read(const std::string& json) {
  std::vector<DynamoFault> read;
  const auto list = boost::json::parse(json);
  for (const auto& one : list.as_array()) read.push_back(fault_of(one.as_object()));
  const std::lock_guard lock(mutex_);
  faults_ = std::move(read);
}

std::optional<DynamoFault> DynamoFaults::meet(const std::string& action, const std::string& body) {
  const std::lock_guard lock(mutex_);
  for (auto fault = faults_.begin(); fault != faults_.end(); ++fault) {
    if (!fault->action.empty() && fault->action != action) continue;
    if (!fault->part.empty() && body.find(fault->part) == std::string::npos) continue;
    if (std::uniform_real_distribution<>(0, 1)(random_) >= fault->probability) continue;
    const auto met = *fault;
    if (fault->times == 1)
      faults_.erase(fault);
    else if (fault->times > 1)
      --fault->times;
    return met;
  }
  return std::nullopt;
}

}  // namespace sms::tests
