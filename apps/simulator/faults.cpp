#include "simulator/faults.hpp"

#include <utility>

namespace sms::simulator {

void Faults::set(const boost::json::array& rules) {
  std::vector<Counted> counted;
  for (auto& rule : parse_fault_rules(rules)) counted.push_back({std::move(rule)});
  const std::lock_guard lock(mutex_);
  rules_ = std::move(counted);
  source_ = rules;
  random_.seed(seed_);
}

boost::json::array Faults::rules() const {
  const std::lock_guard lock(mutex_);
  return source_;
}

bool Faults::strikes(Counted& counted) {
  const auto& rule = counted.rule;
  ++counted.seen;
  if (rule.nth != 0 && counted.seen != rule.nth) return false;
  if (rule.every != 0 && counted.seen % rule.every != 0) return false;
  if (rule.probability < 1) {
    // The standard distributions differ between libraries; 53 random bits do not.
    const auto chance = static_cast<double>(random_() >> 11U) / 9007199254740992.0;
    if (chance >= rule.probability) return false;
  }
  if (rule.times && counted.struck == *rule.times) return false;
  ++counted.struck;
  return true;
}

std::optional<Fault> Faults::refusal() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [rule, seen, struck] : rules_) {
    if (rule.fault.kind == FaultKind::refuse) return rule.fault;
  }
  return std::nullopt;
}

std::optional<Fault> Faults::before_read(bool reused) {
  const std::lock_guard lock(mutex_);
  for (auto& counted : rules_) {
    const auto& rule = counted.rule;
    const bool concerns = rule.fault.kind == FaultKind::close_before_read && rule.reused.value_or(reused) == reused;
    if (concerns && strikes(counted)) return rule.fault;
  }
  return std::nullopt;
}

std::optional<Fault> Faults::on_request(const Order& order, bool reused) {
  const std::lock_guard lock(mutex_);
  for (auto& counted : rules_) {
    const auto& rule = counted.rule;
    if (rule.fault.kind == FaultKind::refuse || rule.fault.kind == FaultKind::close_before_read) continue;
    const bool concerns = (!rule.provider || *rule.provider == order.provider) && (!rule.to || *rule.to == order.to) &&
                          (!rule.body || order.body.find(*rule.body) != std::string::npos) &&
                          rule.reused.value_or(reused) == reused;
    if (concerns && strikes(counted)) return rule.fault;
  }
  return std::nullopt;
}

}  // namespace sms::simulator
