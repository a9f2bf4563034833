#include "config_keys.hpp"

#include "duration.hpp"
#include "secret_source.hpp"
#include "sender_text.hpp"

#include <limits>

namespace sms::cli {

namespace {

using Read = std::function<std::string(const TomlValue&)>;

constexpr std::string_view text_rule = "must be a string";

Read duration_into(std::chrono::milliseconds& target) {
  return [&target](const TomlValue& value) -> std::string {
    const auto* text = std::get_if<std::string>(&value);
    const auto parsed = text != nullptr ? parse_duration(*text) : std::nullopt;
    if (!parsed) return std::string(duration_rule) + ", as a string";
    target = *parsed;
    return {};
  };
}

template <class Flag>
Read truth_into(Flag& target) {
  return [&target](const TomlValue& value) -> std::string {
    const auto* truth = std::get_if<bool>(&value);
    if (truth == nullptr) return "must be true or false";
    target = *truth;
    return {};
  };
}

Read count_into(int& target) {
  return [&target](const TomlValue& value) -> std::string {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number < 1 || *number > std::numeric_limits<int>::max()) {
      return "must be a whole number above zero";
    }
    target = static_cast<int>(*number);
    return {};
  };
}

/// For what is written as one of some words, or in a notation: `parse` answers an optional.
template <class T, class Parse>
Read parsed_into(T& target, Parse parse, std::string_view rule) {
  return [&target, parse, rule](const TomlValue& value) -> std::string {
    const auto* text = std::get_if<std::string>(&value);
    const auto parsed = text != nullptr ? parse(*text) : std::nullopt;
    if (!parsed) return std::string(rule);
    target = *parsed;
    return {};
  };
}

std::optional<Fallback> parse_fallback(std::string_view text) {
  if (text == "none") return Fallback::none;
  if (text == "on_known_rejection") return Fallback::on_known_rejection;
  return std::nullopt;
}

std::optional<ConnectionReuse> parse_reuse(std::string_view text) {
  if (text == "normal") return ConnectionReuse::normal;
  if (text == "never") return ConnectionReuse::never;
  return std::nullopt;
}

std::optional<From> parse_from(std::string_view text) {
  try {
    return parse_sender(text);
  } catch (const InvalidSenderError&) {
    return std::nullopt;
  }
}

/// A relative path means the same file wherever the program is started: another, empty store would send everything
/// again.
std::string rebased(const std::string& url, const std::filesystem::path& base) {
  constexpr std::string_view scheme = "sqlite:";
  const bool bare = url.find(':') == std::string::npos;
  if (!bare && !url.starts_with(scheme)) return url;
  const std::string path = bare ? url : url.substr(scheme.size());
  if (path.empty() || path.starts_with('/')) return url;
  return std::string(scheme) + (base / path).string();
}

template <class Options>
ConfigKeys common_keys(Options& options) {
  return {{"name", text_into(options.name)},
          {"from", parsed_into(options.from, parse_from, sender_rule)},
          {"base_url", text_into(options.base_url)},
          {"allow_insecure", truth_into(options.allow_insecure)},
          {"connection_reuse", parsed_into(options.connection_reuse, parse_reuse, "must be \"normal\" or \"never\"")}};
}

ConfigKeys joined(ConfigKeys keys, ConfigKeys more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace

std::function<std::string(const TomlValue&)> text_into(std::string& target) {
  return [&target](const TomlValue& value) -> std::string {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || text->empty()) return std::string(text_rule) + " that is not empty";
    target = *text;
    return {};
  };
}

std::function<std::string(const TomlValue&)> secret_into(Secret& target, const KeyContext& context) {
  return [&target, context](const TomlValue& value) -> std::string {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return std::string(text_rule) + ": env:NAME, file:PATH or the secret itself";
    auto secret = read_secret(*text, context.environment, context.base);
    if (const auto* fault = std::get_if<std::string>(&secret)) return *fault;
    target = std::move(std::get<Secret>(secret));
    if (is_literal_secret(*text)) *context.holds_secrets = true;
    return {};
  };
}

std::optional<InProgress> parse_in_progress(std::string_view text) {
  constexpr std::string_view wait = "wait:";
  if (text == "fail") return InProgress::fail();
  if (!text.starts_with(wait)) return std::nullopt;
  const auto up_to = parse_duration(text.substr(wait.size()));
  if (!up_to || up_to->count() == 0) return std::nullopt;
  return InProgress::wait(*up_to);
}

ConfigKeys store_keys(Config& config, const KeyContext& context) {
  const auto read_url = [&config, base = context.base](const TomlValue& value) -> std::string {
    std::string url;
    std::string fault = text_into(url)(value);
    if (fault.empty()) config.store_url = rebased(url, base);
    return fault;
  };
  return {{"url", read_url}};
}

ConfigKeys client_keys(Config& config) {
  ClientOptions& client = config.client;
  IdempotencyOptions& keys = config.idempotency;
  return {{"fallback", parsed_into(client.fallback, parse_fallback, "must be \"none\" or \"on_known_rejection\"")},
          {"timeout", duration_into(client.timeout)},
          {"max_attempts", count_into(client.retry.max_attempts)},
          {"base_delay", duration_into(client.retry.base_delay)},
          {"max_delay", duration_into(client.retry.max_delay)},
          {"queue_timeout", duration_into(client.queue_timeout)},
          {"policy_timeout", duration_into(client.policy_timeout)},
          {"late_answer_window", duration_into(client.late_answer_window)},
          {"ttl", duration_into(keys.ttl)},
          {"stale_reservation", duration_into(keys.stale_reservation)},
          {"store_timeout", duration_into(keys.store_timeout)},
          {"finalize_timeout", duration_into(keys.finalize_timeout)},
          {"posting_mark", truth_into(keys.posting_mark)},
          {"expect_store", text_into(keys.expect_store)},
          {"in_progress", parsed_into(keys.in_progress, parse_in_progress, in_progress_rule)},
          {"settle", duration_into(config.settle)}};
}

ConfigKeys adapter_keys(TwilioOptions& options, const KeyContext& context) {
  return joined(common_keys(options), {{"account_sid", text_into(options.account_sid)},
                                       {"auth_token", secret_into(options.auth_token, context)},
                                       {"api_key_sid", text_into(options.api_key_sid)},
                                       {"api_key_secret", secret_into(options.api_key_secret, context)}});
}

ConfigKeys adapter_keys(TelnyxOptions& options, const KeyContext& context) {
  return joined(common_keys(options), {{"api_key", secret_into(options.api_key, context)},
                                       {"messaging_profile_id", text_into(options.messaging_profile_id)}});
}

}  // namespace sms::cli
