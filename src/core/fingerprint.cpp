#include <sms/adapter_kit.hpp>
#include <sms/fingerprint.hpp>

#include "core/json_text.hpp"
#include "core/sha256.hpp"
#include "core/validation_rules.hpp"

#include <algorithm>
#include <charconv>

namespace sms {
namespace {

using detail::JsonWriter;

// A key that JavaScript objects hold before all others, in numeric order: "0" to "4294967294" without leading zeros.
std::optional<std::uint32_t> array_index(std::string_view key) {
  if (key.empty() || key.size() > 10 || (key.size() > 1 && key[0] == '0')) return std::nullopt;
  std::uint32_t index = 0;
  const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (fault != std::errc() || end != key.data() + key.size() || index == 0xFFFF'FFFF) return std::nullopt;
  return index;
}

// UTF-8 bytes sort like code points. In UTF-16 the characters above U+FFFF (lead bytes F0 to F4) come before U+E000 to
// U+FFFF (lead bytes EE and EF).
bool utf16_less(std::string_view a, std::string_view b) {
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : int{byte};
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

bool javascript_less(std::string_view a, std::string_view b) {
  const auto left = array_index(a);
  const auto right = array_index(b);
  if (left && right) return *left < *right;
  if (left || right) return left.has_value();
  return utf16_less(a, b);
}

constexpr auto by_name = [](const auto& a, const auto& b) { return javascript_less(a.first, b.first); };

struct WriteValue {
  JsonWriter& json;
  void operator()(bool value) const { json.boolean(value); }
  void operator()(std::int64_t value) const { json.number(value); }
  void operator()(double value) const { json.number(value); }
  void operator()(const std::string& value) const { json.string(value); }
};

struct WriteFrom {
  JsonWriter& json;
  void operator()(const std::string& number) const { json.string(number); }
  void operator()(const SenderId& sender) const { object("senderId", sender.value); }
  void operator()(const ShortCode& code) const { object("shortCode", code.value); }
  void operator()(const MessagingService& service) const { object("messagingService", service.value); }

 private:
  void object(std::string_view kind, const std::string& value) const {
    json.begin_object().key(kind).string(value).end_object();
  }
};

void write_options(JsonWriter& json, const ProviderOptions& options, detail::Adapters adapters) {
  std::vector<std::pair<std::string_view, WireOptions>> entries;
  for (const auto& adapter : adapters) {
    WireOptions wire = detail::parse_options(adapter->info(), options).wire;
    if (!wire.empty()) entries.emplace_back(adapter->info().name, std::move(wire));
  }
  if (entries.empty()) return;
  std::sort(entries.begin(), entries.end(), by_name);
  json.begin_object();
  for (auto& [adapter, wire] : entries) {
    std::stable_sort(wire.begin(), wire.end(), by_name);
    json.key(adapter).begin_object();
    for (const auto& [name, value] : wire) {
      json.key(name);
      std::visit(WriteValue{json}, value);
    }
    json.end_object();
  }
  json.end_object();
}

void write_text(JsonWriter& json, const std::optional<std::string>& text) { text ? json.string(*text) : json.null(); }

}  // namespace

std::string canonical_text(const SendInput& input, std::span<const std::shared_ptr<Adapter>> adapters) {
  std::string out;
  out.reserve(input.body.size() + 128);
  JsonWriter json(out);
  json.begin_array().string(input.to);
  input.from ? std::visit(WriteFrom{json}, *input.from) : void(json.null());
  json.string(input.body).begin_array();
  for (const std::string& url : input.media_urls) json.string(url);
  json.end_array();
  input.send_at ? json.string(to_iso8601(*input.send_at)) : json.null();
  input.validity_period ? json.number(std::int64_t{input.validity_period->count()}) : json.null();
  write_text(json, input.webhook_url);
  if (!input.provider_options.empty()) write_options(json, input.provider_options, adapters);
  json.end_array();
  return out;
}

std::string fingerprint(const SendInput& input, std::span<const std::shared_ptr<Adapter>> adapters) {
  return detail::sha256_hex(canonical_text(input, adapters));
}

}  // namespace sms
