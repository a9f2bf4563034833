#include "simulator/judge.hpp"

#include "simulator/misbehave.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>
#include <utility>

namespace sms::simulator {
namespace {

namespace json = boost::json;

constexpr std::string_view control_path = "/_sim/";

json::array parse_rules(const std::string& text) {
  json::error_code error;
  const auto value = json::parse(text, error);
  if (error || !value.is_array()) throw std::runtime_error("fault rules must be a JSON array");
  return value.get_array();
}

Answer json_answer(const json::value& value, int status = 200) { return {status, json::serialize(value)}; }

Answer problem(int status, const std::string& what) { return json_answer(json::object{{"error", what}}, status); }

bool is_control(const std::string& beginning) {
  const auto space = beginning.find(' ');
  return space != std::string::npos && std::string_view(beginning).substr(space + 1).starts_with(control_path);
}

}  // namespace

Judge::Judge(const std::optional<std::filesystem::path>& ledger, std::uint64_t seed, const std::string& scenario)
    : ledger_(ledger), faults_(seed) {
  faults_.set(parse_rules(scenario));
  providers_.push_back(twilio_api());
  providers_.push_back(telnyx_api());
}

void Judge::set_faults(Listener& listener, const std::string& text) {
  faults_.set(parse_rules(text));
  apply_refusal(listener);
}

void Judge::apply_refusal(Listener& listener) {
  if (const auto refusal = faults_.refusal()) {
    listener.go_down_for(refusal->time.value_or(std::chrono::seconds(1)));
  } else {
    listener.come_up();
  }
}

void Judge::serve(Listener& listener, Listener::Peer& peer) {
  Connection connection(peer.socket, peer.number);
  while (connection.has_input() || listener.wait_for_request(peer)) {
    if (!is_control(connection.peek())) {
      if (const auto fault = faults_.before_read(connection.reused())) return connection.end(fault->reset);
    }
    const auto request = connection.read();
    if (!request || !answer(listener, connection, *request)) return;
  }
}

bool Judge::answer(Listener& listener, Connection& connection, const Request& request) {
  if (request.path.starts_with(control_path)) return connection.write(control(listener, request));
  for (const auto& provider : providers_) {
    if (provider->is_send(request)) return send(listener, connection, request, *provider);
    if (auto found = provider->look_up(request, ledger_)) {
      Order order;
      order.provider = provider->name();
      ledger_.request(request, order, "");
      provider->stamp(*found, new_hex());
      return connection.write(*found);
    }
  }
  ledger_.request(request, {}, "");
  return connection.write(problem(404, "no provider has this path"));
}

bool Judge::send(Listener& listener, Connection& connection, const Request& request, const ProviderApi& provider) {
  const auto order = provider.glance(request);
  const auto fault = faults_.on_request(order, request.on_connection > 1);
  const auto number = ledger_.request(request, order, fault ? std::string(to_string(fault->kind)) : std::string());
  const auto usual = [&] {
    auto answer = provider.refuse(request, order);
    if (!answer) answer = provider.created(ledger_.create(order, provider.new_id(order, new_hex()), number));
    provider.stamp(*answer, new_hex());
    return std::move(*answer);
  };
  return fault ? misbehave(*fault, connection, provider, listener, usual) : connection.write(usual());
}

Answer Judge::control(Listener& listener, const Request& request) {
  const auto& method = request.method;
  const auto& path = request.path;
  if (path == "/_sim/health") return json_answer(json::object{{"ok", true}});
  if (path == "/_sim/ledger" && method == "DELETE") {
    ledger_.clear();
    return json_answer(json::object{{"ok", true}});
  }
  if (path == "/_sim/ledger" && method == "GET") {
    Ledger::Filter filter;
    filter.provider = request.query.find("provider");
    filter.to = request.query.find("to");
    filter.from = request.query.find("from");
    filter.body = request.query.find("body");
    return json_answer(ledger_.to_json(filter));
  }
  if (path == "/_sim/ledger/summary" && method == "GET") {
    const auto by = request.query.find("by").value_or("body");
    if (by != "body" && by != "to" && by != "provider") return problem(400, "by must be body, to or provider");
    return json_answer(ledger_.summary(by));
  }
  if (path == "/_sim/faults") {
    try {
      if (method == "PUT" || method == "POST") set_faults(listener, request.body);
      if (method == "DELETE") set_faults(listener, "[]");
    } catch (const std::runtime_error& error) {
      return problem(400, error.what());
    }
    return json_answer(faults_.rules());
  }
  return problem(404, "no such control");
}

std::string Judge::new_hex() {
  const std::lock_guard lock(mutex_);
  std::string hex;
  for (int i = 0; i < 32; ++i) hex += "0123456789abcdef"[ids_() % 16];
  return hex;
}

}  // namespace sms::simulator
