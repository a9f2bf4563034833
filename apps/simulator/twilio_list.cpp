#include "simulator/twilio_list.hpp"

#include "simulator/provider_api.hpp"
#include "simulator/times.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <charconv>

namespace sms::simulator {
namespace {

namespace json = boost::json;

constexpr std::int64_t day = 86'400'000;

/// The filters of a query by the sent date; a message that is not sent yet meets none.
bool sent_when(const Message& message, const Form& query) {
  const auto sent = sent_at(message);
  const auto meets = [&](const char* name, auto compare) {
    const auto text = query.find(name);
    if (!text) return true;
    const auto wanted = parse_iso8601(*text);
    return sent && wanted && compare(*sent, *wanted);
  };
  return meets("DateSent", [](std::int64_t at, std::int64_t wanted) { return at / day == wanted / day; }) &&
         meets("DateSent<", [](std::int64_t at, std::int64_t wanted) { return at <= wanted; }) &&
         meets("DateSent>", [](std::int64_t at, std::int64_t wanted) { return at >= wanted; });
}

std::size_t number(const Form& query, const char* name, std::size_t otherwise) {
  const auto text = query.text(name);
  std::size_t value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

json::object twilio_message(const Message& message) {
  const auto& order = message.order;
  const auto sent = sent_at(message);
  const bool by_service = order.from.starts_with("MG");
  const auto uri = "/2010-04-01/Accounts/" + order.account + "/Messages/" + message.id;
  json::object body{{"account_sid", order.account},
                    {"api_version", "2010-04-01"},
                    {"body", order.body},
                    {"date_created", rfc2822(message.at_ms)},
                    {"date_sent", nullptr},
                    {"date_updated", rfc2822(sent.value_or(message.at_ms))},
                    {"direction", "outbound-api"},
                    {"error_code", nullptr},
                    {"error_message", nullptr},
                    {"messaging_service_sid", nullptr},
                    {"from", nullptr},
                    {"num_media", std::to_string(order.media.size())},
                    {"num_segments", by_service ? "0" : "1"},
                    {"price", nullptr},
                    {"price_unit", "USD"},
                    {"sid", message.id},
                    {"status", order.scheduled ? "scheduled"
                               : sent          ? "sent"
                               : by_service    ? "accepted"
                                               : "queued"},
                    {"subresource_uris", json::object{{"media", uri + "/Media.json"}}},
                    {"to", order.to},
                    {"uri", uri + ".json"}};
  body[by_service ? "messaging_service_sid" : "from"] = order.from;
  if (sent) body["date_sent"] = rfc2822(*sent);
  return body;
}

json::object twilio_list(const std::string& path, const Form& query, const std::string& account, const Ledger& ledger) {
  Ledger::Filter filter;
  filter.provider = "twilio";
  filter.account = account;
  filter.to = query.find("To");
  filter.from = query.find("From");
  auto found = ledger.messages(filter);
  std::erase_if(found, [&](const Message& message) { return !sent_when(message, query); });
  std::ranges::reverse(found);

  const auto size = std::clamp<std::size_t>(number(query, "PageSize", 50), 1, 1000);
  const auto page = number(query, "Page", 0);
  const auto start = page < found.size() / size + 1 ? page * size : found.size();
  const auto end = std::min(start + size, found.size());
  json::array messages;
  for (auto i = start; i < end; ++i) messages.push_back(twilio_message(found[i]));

  std::string filters;
  for (const char* name : {"To", "From", "DateSent", "DateSent<", "DateSent>"}) {
    if (const auto value = query.find(name)) filters += "&" + percent_encode(name) + "=" + percent_encode(*value);
  }
  const auto uri_of = [&](std::size_t at) {
    return path + "?PageSize=" + std::to_string(size) + "&Page=" + std::to_string(at) + filters;
  };
  return {{"messages", std::move(messages)},
          {"page", page},
          {"page_size", size},
          {"start", start},
          {"end", end > start ? end - 1 : start},
          {"uri", uri_of(page)},
          {"first_page_uri", uri_of(0)},
          {"previous_page_uri", page > 0 ? json::value(uri_of(page - 1)) : nullptr},
          {"next_page_uri", end < found.size() ? json::value(uri_of(page + 1)) : nullptr}};
}

}  // namespace sms::simulator
