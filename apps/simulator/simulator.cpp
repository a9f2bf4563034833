#include "simulator/simulator.hpp"

#include "simulator/judge.hpp"
#include "simulator/listener.hpp"

#include <boost/json/serialize.hpp>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace sms::simulator {
namespace {

std::string read_scenario(const std::optional<std::filesystem::path>& path) {
  if (!path) return "[]";
  std::ifstream file(*path);
  if (!file) throw std::runtime_error("the scenario file cannot be read: " + path->string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

class Simulator::Impl {
 public:
  explicit Impl(const SimulateOptions& options)
      : judge(options.ledger, options.seed, read_scenario(options.scenario)),
        listener(options.host, options.port, [this](Listener::Peer& peer) { judge.serve(listener, peer); }) {
    judge.apply_refusal(listener);
  }

  Judge judge;
  Listener listener;
};

Simulator::Simulator(const SimulateOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Simulator::~Simulator() = default;
std::uint16_t Simulator::port() const noexcept { return impl_->listener.port(); }
std::string Simulator::url() const { return impl_->listener.url(); }
void Simulator::set_faults(const std::string& json) { impl_->judge.set_faults(impl_->listener, json); }
std::size_t Simulator::messages() const { return impl_->judge.ledger().message_count({}); }
std::size_t Simulator::messages_with_body(const std::string& body) const {
  Ledger::Filter filter;
  filter.body = body;
  return impl_->judge.ledger().message_count(filter);
}
std::size_t Simulator::requests() const { return impl_->judge.ledger().request_count(); }
std::string Simulator::ledger_json() const { return boost::json::serialize(impl_->judge.ledger().to_json({})); }

}  // namespace sms::simulator
