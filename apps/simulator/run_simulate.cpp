#include "simulator/simulator.hpp"

#include <signal.h>

#include <ostream>

namespace sms::simulator {

int run_simulate(const SimulateOptions& options, std::ostream& out) {
  // Blocked before the first thread starts, so that only this one takes them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  signal(SIGPIPE, SIG_IGN);

  const Simulator simulator(options);
  if (options.json) {
    out << R"({"listening":")" << simulator.url() << R"(","port":)" << simulator.port() << "}" << std::endl;
  } else {
    out << "listening on " << simulator.url() << std::endl;
  }
  int received = 0;
  sigwait(&ends, &received);
  return 0;
}

}  // namespace sms::simulator
