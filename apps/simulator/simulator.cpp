#include "simulator/simulator.hpp"

#include "simulator/connection.hpp"
#include "simulator/faults.hpp"
#include "simulator/ledger.hpp"
#include "simulator/provider_api.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <list>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sms::simulator {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using asio::ip::tcp;

json::array parse_rules(const std::string& text) {
  json::error_code error;
  const auto value = json::parse(text, error);
  if (error || !value.is_array()) throw std::runtime_error("fault rules must be a JSON array");
  return value.get_array();
}

Answer json_answer(const json::value& value, int status = 200) { return {status, json::serialize(value)}; }

Answer problem(int status, const std::string& what) { return json_answer(json::object{{"error", what}}, status); }

}  // namespace

class Simulator::Impl {
 public:
  explicit Impl(const SimulateOptions& options)
      : options_(options),
        ledger_(options.ledger),
        faults_(options.seed),
        acceptor_(io_),
        ids_(std::random_device{}()) {
    if (options.scenario) {
      std::ifstream file(*options.scenario);
      if (!file) throw std::runtime_error("the scenario file cannot be read: " + options.scenario->string());
      faults_.set(parse_rules(std::string(std::istreambuf_iterator<char>(file), {})));
    }
    boost::system::error_code error;
    const auto address = asio::ip::make_address(options.host, error);
    if (error) throw std::runtime_error("host must be an IP address");
    const tcp::endpoint endpoint(address, options.port);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint, error);
    if (error)
      throw std::runtime_error("cannot listen on " + options.host + ":" + std::to_string(options.port) + ": " +
                               error.message());
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
    thread_ = std::thread([this] { accept_loop(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      for (auto* socket : sockets_) ::shutdown(socket->native_handle(), SHUT_RDWR);
    }
    stopped_.notify_all();
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    thread_.join();
    std::unique_lock lock(mutex_);
    stopped_.wait(lock, [this] { return sockets_.empty(); });
  }

  Ledger& ledger() { return ledger_; }
  Faults& faults() { return faults_; }
  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://" + options_.host + ":" + std::to_string(port_); }

 private:
  void accept_loop() {
    for (int number = 1;; ++number) {
      auto socket = std::make_unique<tcp::socket>(io_);
      boost::system::error_code error;
      acceptor_.accept(*socket, error);
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      if (error) continue;
      socket->set_option(tcp::no_delay(true), error);
      sockets_.push_back(socket.get());
      std::thread([this, number, owned = std::move(socket)] {
        serve(*owned, number);
        const std::lock_guard guard(mutex_);
        sockets_.remove(owned.get());
        boost::system::error_code ignored;
        owned->close(ignored);
        stopped_.notify_all();
      }).detach();
    }
  }

  void serve(tcp::socket& socket, int number) {
    Connection connection(socket, number);
    if (faults_.on_accept()) return connection.close(true);
    for (bool reused = false;; reused = true) {
      if (!connection.wait_readable()) return;
      if (faults_.before_read(reused)) return connection.close(true);
      const auto request = connection.read();
      if (!request) return;
      if (!answer(connection, *request)) return;
    }
  }

  /// False when the connection must not be used any more.
  bool answer(Connection& connection, const Request& request) {
    if (request.path.starts_with("/_sim/")) return connection.write(control(request));
    for (const auto& provider : providers_) {
      if (provider->is_send(request)) return send(connection, request, *provider);
    }
    for (const auto& provider : providers_) {
      if (const auto found = provider->look_up(request, ledger_)) return connection.write(*found);
    }
    return connection.write(problem(404, "no provider has this path"));
  }

  bool send(Connection& connection, const Request& request, const ProviderApi& provider) {
    const auto order = provider.glance(request);
    const auto fault = faults_.on_request(order, request.on_connection > 1);
    const auto number = ledger_.request(order, request.path, request.connection, request.on_connection,
                                        fault ? std::string(to_string(fault->kind)) : std::string());
    const auto usual = [&]() -> Answer {
      auto read = provider.read(request);
      if (auto* refused = std::get_if<Answer>(&read)) return std::move(*refused);
      const auto& wanted = std::get<Order>(read);
      return provider.created(ledger_.create(wanted, provider.new_id(wanted, new_hex()), number), request);
    };
    if (!fault) return connection.write(usual());
    return misbehave(connection, *fault, provider, usual);
  }

  template <class Usual>
  bool misbehave(Connection& connection, const Fault& fault, const ProviderApi& provider, const Usual& usual) {
    switch (fault.kind) {
      case FaultKind::delay:
        pause(fault.time);
        return connection.write(usual());
      case FaultKind::create_late: {
        const auto answer = usual();
        pause(fault.time);
        return connection.write(answer);
      }
      case FaultKind::create_then_hang:
        usual();
        connection.wait_for_end();
        return false;
      case FaultKind::hang:
        connection.wait_for_end();
        return false;
      case FaultKind::create_then_close:
        usual();
        connection.close(fault.reset);
        return false;
      case FaultKind::refuse:
      case FaultKind::close_before_read:
      case FaultKind::close_after_read:
        connection.close(fault.reset);
        return false;
      case FaultKind::create_then_status: {
        usual();
        return connection.write({fault.status, "{\"error\":\"the provider had an accident\"}"});
      }
      case FaultKind::create_then_garbage: {
        auto answer = usual();
        answer.body = "<html>{\"sid\": oops";
        return connection.write(answer);
      }
      case FaultKind::half_response:
        connection.write_half(usual());
        connection.close(false);
        return false;
      case FaultKind::reject:
        return connection.write(provider.refusal(fault.code));
      case FaultKind::bare_status:
        return connection.write({fault.status, ""});
      case FaultKind::rate_limit:
        return connection.write(provider.rate_limited(fault.retry_after));
      case FaultKind::slow_drip:
        connection.write_slowly(usual(), fault.time);
        return true;
      case FaultKind::keepalive_then_close:
        connection.write(usual());
        connection.close(false);
        return false;
      case FaultKind::wrong_content_type: {
        auto answer = usual();
        answer.content_type = "text/html";
        return connection.write(answer);
      }
      case FaultKind::redirect: {
        Answer answer{fault.status == 503 ? 307 : fault.status, ""};
        answer.headers["Location"] = fault.location.empty() ? url() + "/elsewhere" : fault.location;
        return connection.write(answer);
      }
    }
    return false;
  }

  Answer control(const Request& request) {
    const auto query = parse_form(request.query);
    const auto parameter = [&query](const char* name) {
      const auto at = query.find(name);
      return at == query.end() ? std::nullopt : std::optional(at->second);
    };
    const auto& method = request.method;
    if (request.path == "/_sim/health") return json_answer(json::object{{"ok", true}});
    if (request.path == "/_sim/ledger" && method == "DELETE") {
      ledger_.clear();
      return json_answer(json::object{{"ok", true}});
    }
    if (request.path == "/_sim/ledger") {
      return json_answer(ledger_.to_json({parameter("to"), parameter("body"), parameter("provider")}));
    }
    if (request.path == "/_sim/ledger/summary") return json_answer(ledger_.summary(parameter("by").value_or("body")));
    if (request.path == "/_sim/faults") {
      try {
        if (method == "PUT" || method == "POST") faults_.set(parse_rules(request.body));
        if (method == "DELETE") faults_.set({});
      } catch (const std::runtime_error& error) {
        return problem(400, error.what());
      }
      return json_answer(faults_.rules());
    }
    return problem(404, "no such control");
  }

  /// Sleeps, unless the simulator stops.
  void pause(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    stopped_.wait_for(lock, time, [this] { return stopping_; });
  }

  std::string new_hex() {
    const std::lock_guard lock(mutex_);
    std::string hex;
    for (int i = 0; i < 32; ++i) hex += "0123456789abcdef"[ids_() % 16];
    return hex;
  }

  SimulateOptions options_;
  Ledger ledger_;
  Faults faults_;
  std::vector<std::unique_ptr<ProviderApi>> providers_ = all_providers();
  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::list<tcp::socket*> sockets_;
  std::mt19937_64 ids_;
  std::thread thread_;
};

Simulator::Simulator(const SimulateOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Simulator::~Simulator() = default;
std::uint16_t Simulator::port() const noexcept { return impl_->port(); }
std::string Simulator::url() const { return impl_->url(); }
void Simulator::set_faults(const std::string& json) { impl_->faults().set(parse_rules(json)); }
std::size_t Simulator::messages() const { return impl_->ledger().message_count({}); }
std::size_t Simulator::messages_with_body(const std::string& body) const {
  Ledger::Filter filter;
  filter.body = body;
  return impl_->ledger().message_count(filter);
}
std::size_t Simulator::requests() const { return impl_->ledger().request_count(); }
std::string Simulator::ledger_json() const { return json::serialize(impl_->ledger().to_json({})); }

}  // namespace sms::simulator
