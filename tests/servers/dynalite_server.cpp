#include "servers/dynalite_server.hpp"

#include <stdexcept>

namespace sms::tests {

DynaliteServer::DynaliteServer() {
  const std::string root = SMS_PROJECT_DIR;
  if (ChildProcess({root + "/scripts/npm-install"}).wait() != 0) throw std::runtime_error("npm-install failed");
  process_ = std::make_unique<ChildProcess>(std::vector<std::string>{SMS_NODE, root + "/tests/npm/dynalite.js"});
  url_ = process_->read_line();
  if (url_.empty()) throw std::runtime_error("dynalite does not start");
}

}  // namespace sms::tests
