#pragma once

#include "simulator/connection.hpp"
#include "simulator/faults.hpp"
#include "simulator/listener.hpp"
#include "simulator/provider_api.hpp"

#include <functional>

namespace sms::simulator {

/// What would happen without a fault: it creates the message, or refuses the request, and answers.
using Usual = std::function<Answer()>;

/// Does to a request what the fault says. False when nothing more can come over the connection.
bool misbehave(const Fault& fault, Connection& connection, const ProviderApi& provider, Listener& listener,
               const Usual& usual);

}  // namespace sms::simulator
