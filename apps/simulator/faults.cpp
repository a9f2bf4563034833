#include "simulator/faults.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <stdexcept>
#include <utility>

namespace sms::simulator {
namespace {

namespace json = boost::json;

constexpr std::array<std::pair<FaultKind, std::string_view>, 18> names{{
    {FaultKind::refuse, "refuse"},
    {FaultKind::close_before_read, "close_before_read"},
    {FaultKind::delay, "delay"},
    {FaultKind::hang, "hang"},
    {FaultKind::close_after_read, "close_after_read"},
    {FaultKind::create_then_close, "create_then_close"},
    {FaultKind::create_then_hang, "create_then_hang"},
    {FaultKind::create_then_status, "create_then_status"},
    {FaultKind::create_then_garbage, "create_then_garbage"},
    {FaultKind::create_late, "create_late"},
    {FaultKind::half_response, "half_response"},
    {FaultKind::reject, "reject"},
    {FaultKind::bare_status, "bare_status"},
    {FaultKind::rate_limit, "rate_limit"},
    {FaultKind::slow_drip, "slow_drip"},
    {FaultKind::keepalive_then_close, "keepalive_then_close"},
    {FaultKind::wrong_content_type, "wrong_content_type"},
    {FaultKind::redirect, "redirect"},
}};

[[noreturn]] void wrong(const std::string& field, const std::string& rule) {
  throw std::runtime_error("fault rule: " + field + " " + rule);
}

std::string text(const json::value& value, const std::string& field) {
  if (!value.is_string()) wrong(field, "must be a string");
  return std::string(value.get_string());
}

std::int64_t integer(const json::value& value, const std::string& field) {
  if (!value.is_int64() || value.get_int64() < 0) wrong(field, "must be a whole number, zero or more");
  return value.get_int64();
}

FaultKind kind_of(const std::string& name) {
  for (const auto& [kind, known] : names) {
    if (known == name) return kind;
  }
  wrong("action", "must be one of the documented faults, not \"" + name + "\"");
}

}  // namespace

std::string_view to_string(FaultKind kind) {
  for (const auto& [known, name] : names) {
    if (known == kind) return name;
  }
  return {};
}

Faults::Rule Faults::parse(const json::value& value) {
  if (!value.is_object()) wrong("a rule", "must be an object");
  Rule rule;
  bool has_action = false;
  for (const auto& [key, field] : value.get_object()) {
    const std::string name(key);
    if (name == "action") {
      rule.fault.kind = kind_of(text(field, name));
      has_action = true;
    } else if (name == "how") {
      const auto how = text(field, name);
      if (how != "fin" && how != "rst") wrong(name, "must be \"fin\" or \"rst\"");
      rule.fault.reset = how == "rst";
    } else if (name == "ms") {
      rule.fault.time = std::chrono::milliseconds(integer(field, name));
    } else if (name == "status") {
      rule.fault.status = static_cast<int>(integer(field, name));
    } else if (name == "code") {
      rule.fault.code = text(field, name);
    } else if (name == "retryAfter") {
      rule.fault.retry_after = static_cast<int>(integer(field, name));
    } else if (name == "location") {
      rule.fault.location = text(field, name);
    } else if (name == "times") {
      rule.times = static_cast<std::uint64_t>(integer(field, name));
    } else if (name == "match") {
      if (!field.is_object()) wrong(name, "must be an object");
      for (const auto& [match_key, match] : field.get_object()) {
        const std::string match_name(match_key);
        const auto full = "match." + match_name;
        if (match_name == "provider") {
          rule.provider = text(match, full);
        } else if (match_name == "to") {
          rule.to = text(match, full);
        } else if (match_name == "body") {
          rule.body = text(match, full);
        } else if (match_name == "reused") {
          if (!match.is_bool()) wrong(full, "must be true or false");
          rule.reused = match.get_bool();
        } else if (match_name == "nth") {
          rule.nth = static_cast<std::uint64_t>(integer(match, full));
        } else if (match_name == "every") {
          rule.every = static_cast<std::uint64_t>(integer(match, full));
        } else if (match_name == "probability") {
          if (!match.is_number()) wrong(full, "must be a number from 0 to 1");
          rule.probability = match.to_number<double>();
        } else {
          wrong(full, "is not known");
        }
      }
    } else {
      wrong(name, "is not known");
    }
  }
  if (!has_action) wrong("action", "is missing");
  return rule;
}

void Faults::set(const json::array& rules) {
  std::vector<Rule> parsed;
  for (const auto& rule : rules) parsed.push_back(parse(rule));
  const std::lock_guard lock(mutex_);
  rules_ = std::move(parsed);
  source_ = rules;
}

json::array Faults::rules() const {
  const std::lock_guard lock(mutex_);
  return source_;
}

bool Faults::strikes(Rule& rule) {
  ++rule.seen;
  if (rule.nth != 0 && rule.seen != rule.nth) return false;
  if (rule.every != 0 && rule.seen % rule.every != 0) return false;
  if (rule.probability < 1 && std::uniform_real_distribution<double>(0, 1)(random_) >= rule.probability) return false;
  if (rule.times) {
    if (*rule.times == 0) return false;
    --*rule.times;
  }
  return true;
}

std::optional<Fault> Faults::on_accept() {
  const std::lock_guard lock(mutex_);
  for (auto& rule : rules_) {
    if (rule.fault.kind == FaultKind::refuse && strikes(rule)) return rule.fault;
  }
  return std::nullopt;
}

std::optional<Fault> Faults::before_read(bool reused) {
  const std::lock_guard lock(mutex_);
  for (auto& rule : rules_) {
    if (rule.fault.kind == FaultKind::close_before_read && rule.reused.value_or(reused) == reused && strikes(rule)) {
      return rule.fault;
    }
  }
  return std::nullopt;
}

std::optional<Fault> Faults::on_request(const Order& order, bool reused) {
  const std::lock_guard lock(mutex_);
  for (auto& rule : rules_) {
    if (rule.fault.kind == FaultKind::refuse || rule.fault.kind == FaultKind::close_before_read) continue;
    const bool matches = (!rule.provider || *rule.provider == order.provider) && (!rule.to || *rule.to == order.to) &&
                         (!rule.body || order.body.find(*rule.body) != std::string::npos) &&
                         rule.reused.value_or(reused) == reused;
    if (matches && strikes(rule)) return rule.fault;
  }
  return std::nullopt;
}

}  // namespace sms::simulator
