#include "simulator/faults.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
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

/// One object of the rules, and where it is, for errors.
class Fields {
 public:
  Fields(const json::value& value, std::string where) : where_(std::move(where)) {
    if (!value.is_object()) throw std::runtime_error(where_ + " must be an object");
    object_ = value.get_object();
  }

  [[noreturn]] void wrong(const std::string& name, const std::string& rule) const {
    throw std::runtime_error(where_ + ": " + name + " " + rule);
  }
  bool has(std::string_view name) const { return object_.contains(name); }
  const json::value* take(const std::string& name) {
    known_.push_back(name);
    return object_.if_contains(name);
  }
  std::optional<std::string> text(const std::string& name) {
    const auto* value = take(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) wrong(name, "must be a string");
    return std::string(value->get_string());
  }
  std::optional<bool> truth(const std::string& name) {
    const auto* value = take(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_bool()) wrong(name, "must be true or false");
    return value->get_bool();
  }
  std::optional<std::int64_t> integer(const std::string& name, std::int64_t least, std::int64_t most) {
    const auto* value = take(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_int64() || value->get_int64() < least || value->get_int64() > most) {
      wrong(name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value->get_int64();
  }
  std::optional<std::uint64_t> count(const std::string& name) {
    const auto value = integer(name, 1, 1'000'000'000);
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
  }
  void nothing_else() const {
    for (const auto& [key, value] : object_) {
      if (std::ranges::find(known_, std::string_view(key)) == known_.end()) wrong(std::string(key), "is not known");
    }
  }

 private:
  std::string where_;
  json::object object_;
  std::vector<std::string> known_;
};

FaultKind kind_of(Fields& fields) {
  const auto action = fields.text("action");
  if (!action) fields.wrong("action", "is missing");
  for (const auto& [kind, name] : names) {
    if (name == *action) return kind;
  }
  fields.wrong("action", "must be one of the documented faults, not \"" + *action + "\"");
}

void read_match(FaultRule& rule, Fields fields) {
  if (rule.fault.kind == FaultKind::close_before_read) {
    for (const char* unread : {"provider", "to", "body"}) {
      if (fields.has(unread)) fields.wrong(unread, "cannot be matched before the request is read");
    }
  }
  rule.provider = fields.text("provider");
  rule.to = fields.text("to");
  rule.body = fields.text("body");
  rule.reused = fields.truth("reused");
  rule.nth = fields.count("nth").value_or(0);
  rule.every = fields.count("every").value_or(0);
  if (const auto* value = fields.take("probability")) {
    json::error_code error;
    rule.probability = value->to_number<double>(error);
    if (error || rule.probability < 0 || rule.probability > 1) {
      fields.wrong("probability", "must be a number from 0 to 1");
    }
  }
  fields.nothing_else();
}

FaultRule parse(const json::value& value, const std::string& where) {
  Fields fields(value, where);
  FaultRule rule;
  auto& fault = rule.fault;
  fault.kind = kind_of(fields);
  if (const auto how = fields.text("how")) {
    if (*how != "fin" && *how != "rst") fields.wrong("how", "must be \"fin\" or \"rst\"");
    fault.reset = *how == "rst";
  }
  if (const auto ms = fields.integer("ms", 0, 3'600'000)) fault.time = std::chrono::milliseconds(*ms);
  if (const auto status = fields.integer("status", 200, 599)) fault.status = static_cast<int>(*status);
  fault.code = fields.text("code");
  if (fault.code && (fault.code->empty() || fault.code->size() > 6 ||
                     fault.code->find_first_not_of("0123456789") != std::string::npos)) {
    fields.wrong("code", "must be 1 to 6 digits");
  }
  fault.retry_after = static_cast<int>(fields.integer("retryAfter", 0, 86'400).value_or(1));
  fault.location = fields.text("location").value_or("");
  if (fault.location.find_first_of("\r\n") != std::string::npos) fields.wrong("location", "must be one line");
  if (fault.kind == FaultKind::refuse && (fields.has("match") || fields.has("times"))) {
    fields.wrong("refuse", "takes ms only: nobody has asked for anything yet");
  }
  rule.times = fields.count("times");
  if (const auto* match = fields.take("match")) read_match(rule, Fields(*match, where + ".match"));
  fields.nothing_else();
  return rule;
}

}  // namespace

std::string_view to_string(FaultKind kind) {
  const auto* const at = std::ranges::find(names, kind, &std::pair<FaultKind, std::string_view>::first);
  return at->second;
}

std::vector<FaultRule> parse_fault_rules(const json::array& rules) {
  std::vector<FaultRule> parsed;
  for (const auto& rule : rules) parsed.push_back(parse(rule, "fault rule " + std::to_string(parsed.size() + 1)));
  return parsed;
}

}  // namespace sms::simulator
