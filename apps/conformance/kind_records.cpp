#include <sms/client.hpp>
#include <sms/fingerprint.hpp>
#include <sms/stores/memory.hpp>
#include <sms/testing/memory_adapter.hpp>

#include "conformance/adapters.hpp"
#include "conformance/errors.hpp"
#include "conformance/kinds.hpp"
#include "conformance/scripted_transport.hpp"
#include "conformance/skip.hpp"
#include "conformance/values.hpp"

#include <future>
#include <regex>

namespace sms::conformance {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

/// What one adapter's provider answers. The last reply repeats.
struct Replies {
  std::vector<HttpExchange> replies;
  bool hangs = false;
  std::size_t next = 0;

  std::optional<HttpExchange> answer() {
    if (hangs) return {};
    if (replies.empty()) return lost();
    return replies[std::min(next++, replies.size() - 1)];
  }
};

bool flag(const json::object& object, std::string_view field) {
  const auto* value = find(object, field);
  return value && value->as_bool();
}

/// A body as a provider writes it: with numbers instead of their tags.
json::value plain(json::value value) {
  if (const auto number = number_in(value); number && value.is_object()) return *number;
  if (auto* array = value.if_array()) {
    for (auto& item : *array) item = plain(item);
  }
  if (auto* object = value.if_object()) {
    for (auto& [field, item] : *object) item = plain(item);
  }
  return value;
}

Replies replies_of(const json::object& adapter) {
  Replies replies;
  replies.hangs = flag(adapter, "hangs");
  if (const auto* recorded = find(adapter, "replies")) {
    for (const auto& reply : recorded->as_array()) {
      const auto& body = reply.at("body");
      replies.replies.push_back(answered(static_cast<int>(integer_of(reply.at("status"), "status")),
                                         headers_of(reply.as_object()),
                                         body.is_string() ? text_of(body, "body") : json::serialize(plain(body))));
    }
  } else if (!replies.hangs && !flag(adapter, "throws") && text_of(adapter.at("adapter"), "adapter") != "memory") {
    throw Skip("an adapter without a script");
  }
  return replies;
}

milliseconds milliseconds_of(const json::object& object, std::string_view field, milliseconds fallback) {
  const auto* value = find(object, field);
  return value ? milliseconds(integer_of(*value, field)) : fallback;
}

/// Waits for a store that answers through callbacks.
template <class T, class Call>
T wait_for(Call call) {
  std::promise<Expected<T>> promise;
  call([&](Expected<T> answer) { promise.set_value(std::move(answer)); });
  return promise.get_future().get().value();
}

/// One recorded send: what surrounds it, the call, and what it left behind.
class Scene {
 public:
  explicit Scene(const VectorCase& vector_case) : case_(vector_case), message_(message_of(vector_case.input)) {
    now_ = now_of(case_.input);
    clock_ = recorded_clock(now_);
    options_.clock = clock_;
    options_.idempotency = IdempotencyOptions{.store = store_};
    add_adapters();
    add_client_options();
    add_note();
  }

  json::value play() {
    json::object out;
    try {
      Client client(std::move(options_), nullptr);
      if (abort_after_) {
        clock_->after(*abort_after_, [this] { stop_.request_stop(); });
      }
      const auto result = client.send(message_, {.stop = stop_.get_token()});
      out = {{"resultJson", result.to_json()}, {"thrown", nullptr}};
    } catch (const Error& error) {
      out = {{"resultJson", nullptr}, {"thrown", thrown_json(error)}};
    } catch (const std::exception&) {
      out = {{"resultJson", nullptr}, {"thrown", foreign_json()}};
    }
    out.emplace("recordJson", record_json());
    return out;
  }

 private:
  void add_adapters() {
    const auto& adapters = case_.input.at("adapters").as_array();
    for (std::size_t i = 0; i < adapters.size(); ++i) {
      const auto& adapter = adapters[i].as_object();
      const auto name = text_of(adapter.at("adapter"), "adapter");
      if (adapter.contains("abortAfterMs")) abort_after_ = milliseconds_of(adapter, "abortAfterMs", {});
      if (name == "memory") {
        options_.adapters.push_back(memory_adapter(adapter));
        continue;
      }
      const auto base_url = "https://provider-" + std::to_string(i) + ".example";
      auto adapter_options = adapter.at("options").as_object();
      adapter_options.insert_or_assign("baseUrl", base_url);
      options_.adapters.push_back(make_http_adapter(name, adapter_options));
      providers_.emplace_back(base_url + "/", replies_of(adapter));
    }
    options_.transport = std::make_shared<ScriptedTransport>([this](const HttpRequest& request) {
      for (auto& [base_url, replies] : providers_) {
        if (request.url.starts_with(base_url)) return replies.answer();
      }
      return std::optional(lost());
    });
  }

  std::shared_ptr<Adapter> memory_adapter(const json::object& adapter) {
    testing::MemoryAdapterOptions options;
    if (const auto outcome = optional_text(adapter, "outcome")) {
      if (!outcome->starts_with("throws")) throw Skip("an outcome of the memory adapter told in words");
      options.script.push_back({.throws = true});
    }
    return testing::memory(std::move(options));
  }

  void add_client_options() {
    const auto& client = case_.input.at("client").as_object();
    for (const auto& [field, value] : client) {
      if (field != "fallback" && field != "retry" && field != "timeoutMs") {
        throw Skip("the client option " + std::string(field));
      }
    }
    if (optional_text(client, "fallback") == "on-known-rejection") options_.fallback = Fallback::on_known_rejection;
    options_.timeout = milliseconds_of(client, "timeoutMs", options_.timeout);
    if (const auto* retry = find(client, "retry")) {
      const auto& fields = retry->as_object();
      if (const auto* attempts = find(fields, "maxAttempts")) {
        options_.retry.max_attempts = static_cast<int>(integer_of(*attempts, "maxAttempts"));
      }
      options_.retry.base_delay = milliseconds_of(fields, "baseDelayMs", options_.retry.base_delay);
      options_.retry.max_delay = milliseconds_of(fields, "maxDelayMs", options_.retry.max_delay);
    }
    // The files tell of a cancellation in a retry wait by its result alone.
    const auto* thrown = case_.output.at("thrown").if_object();
    if (!abort_after_ && thrown && thrown->at("code") == "aborted") abort_after_ = milliseconds(100);
  }

  /// What the files say in words.
  void add_note() {
    const auto note = optional_text(case_.input, "note");
    std::smatch match;
    if (!note) return;
    if (note->find("beforeSend returns reject") != std::string::npos) {
      const auto reason = text_of(case_.output.at("thrown").at("reason"), "reason");
      options_.before_send = [reason](const PolicyContext&) { return PolicyDecision(Reject{reason}); };
    } else if (note->find("beforeSend throws") != std::string::npos) {
      options_.before_send = [](const PolicyContext&) -> PolicyDecision { throw std::runtime_error("policy"); };
    } else if (std::regex_search(*note, match, std::regex("reserved ([0-9]+) ms earlier"))) {
      reserve_earlier(milliseconds(std::stoll(match[1])));
    } else {
      throw Skip("a note: " + *note);
    }
  }

  void reserve_earlier(milliseconds age) {
    ReserveRequest request;
    request.key = message_.idempotency_key.value();
    request.fingerprint = fingerprint(message_, options_.adapters);
    request.reservation_id = "00000000000000000000000000000001";
    request.now = now_ - age;
    wait_for<ReserveResult>([&](auto done) { store_->reserve(std::move(request), std::move(done)); });
  }

  json::value record_json() {
    const auto record = wait_for<std::optional<IdempotencyRecord>>(
        [&](auto done) { store_->get(message_.idempotency_key.value_or(""), now_, std::move(done)); });
    return record ? json::value(to_json(*record)) : json::value(nullptr);
  }

  static json::object thrown_json(const Error& error) {
    const auto facts = facts_of(error);
    return {{"class", error.name()},
            {"code", to_string(error.code())},
            {"toJSON", to_json_object(error)},
            {"reason", or_null(facts.reason)},
            {"category", or_null(facts.category)},
            {"retryAfterMs", or_null(facts.retry_after_ms)},
            {"providerName", or_null(facts.provider_name)},
            {"fallbackEligible", or_null(facts.fallback_eligible)},
            {"errors", facts.errors}};
  }

  static json::object foreign_json() {
    return {{"class", "Error"},    {"code", nullptr},         {"toJSON", nullptr},       {"reason", nullptr},
            {"category", nullptr}, {"retryAfterMs", nullptr}, {"providerName", nullptr}, {"fallbackEligible", nullptr},
            {"errors", nullptr}};
  }

  const VectorCase& case_;
  SendInput message_;
  WallTime now_;
  std::shared_ptr<Clock> clock_;
  std::shared_ptr<MemoryIdempotencyStore> store_ = memory_idempotency_store();
  std::vector<std::pair<std::string, Replies>> providers_;
  std::optional<milliseconds> abort_after_;
  std::stop_source stop_;
  ClientOptions options_;
};

/// Random IDs, sentences of errors and durations differ from run to run.
void erase_chance(json::value& value) {
  if (auto* array = value.if_array()) {
    for (auto& item : *array) erase_chance(item);
  }
  auto* object = value.if_object();
  if (!object) return;
  const bool is_error = object->contains("name") && object->contains("retrySafe");
  for (auto& [field, item] : *object) {
    if (field == "id" || field == "reservationId" || (is_error && field == "message")) item = "<any>";
    if (field == "durationMs") item = 0;
    erase_chance(item);
  }
}

}  // namespace

json::value answer_records(const VectorCase& vector_case, const json::object&) { return Scene(vector_case).play(); }

json::value normalise_records(const json::value& output) {
  auto normal = output;
  for (const auto* field : {"recordJson", "resultJson"}) {
    auto& text = normal.at(field);
    if (!text.is_string()) continue;
    // Stays a text, since the order of its fields counts.
    auto parsed = json::parse(text.get_string());
    erase_chance(parsed);
    text = json::serialize(parsed);
  }
  erase_chance(normal.at("thrown"));
  return normal;
}

}  // namespace sms::conformance
