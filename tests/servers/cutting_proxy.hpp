#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace sms::tests {

/// Stands between a client and a server on this machine, on a thread of its own, and fails as networks do.
class CuttingProxy {
 public:
  explicit CuttingProxy(std::uint16_t server_port);
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy();

  std::uint16_t port() const { return port_; }

  /// Ends every connection.
  void cut();
  /// Ends every connection, and leads those to come to another server.
  void redirect(std::uint16_t server_port);
  /// The next thing that the server says reaches nobody, and its connection ends: the request was executed.
  void drop_next_reply();
  /// Once, in what the server says: as if the answer belonged to another question. Of equal length.
  void replace_once(std::string said, std::string heard);
  /// Waits until that has happened.
  void wait_until_dropped();
  /// From now on nothing passes, in either direction or from the server alone, though connections stay and are made.
  void hang();
  void hang_replies();
  /// Lets all pass again.
  void pass();
  /// How many connections were made so far.
  int connections() const;

 private:
  struct Pair {
    int client, server;
    std::string to_server = {}, to_client = {};
    bool ended = false;
  };
  void run();
  void accept_one();
  void read_side(Pair& pair, bool from_server);
  static void write_side(int to, std::string& bytes);
  void wake() const;

  std::uint16_t server_port_;
  std::uint16_t port_ = 0;
  int listener_;
  int wake_;
  std::list<Pair> pairs_;

  mutable std::mutex mutex_;
  std::condition_variable dropped_;
  bool stopped_ = false, cut_ = false, drop_ = false, hang_requests_ = false, hang_replies_ = false;
  int connections_ = 0;
  std::string said_, heard_;
  std::thread thread_;
};

}  // namespace sms::tests
