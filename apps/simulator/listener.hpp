#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace sms::simulator {

/// Accepts connections and gives each a thread of its own. It can be down for a while: then nothing listens on the
/// port, and connections that wait for a request are closed.
class Listener {
 public:
  struct Peer {
    boost::asio::ip::tcp::socket socket;
    int number;  ///< From 1.
    bool waiting = false;
  };
  using Serve = std::function<void(Peer&)>;

  /// Throws `std::runtime_error` when it cannot listen.
  Listener(const std::string& host, std::uint16_t port, Serve serve);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  /// Closes every connection and waits for the threads.
  ~Listener();

  std::uint16_t port() const noexcept { return endpoint_.port(); }
  std::string url() const;
  /// Returns when nothing listens any more.
  void go_down_for(std::chrono::milliseconds time);
  /// Returns when it listens.
  void come_up();

  /// Waits until the peer has sent something; false when the peer or this side has gone.
  bool wait_for_request(Peer& peer);
  /// Sleeps, unless the listener ends.
  void pause(std::chrono::milliseconds time);

 private:
  using Clock = std::chrono::steady_clock;

  void listen();
  void run();
  void start(std::unique_ptr<Peer> peer);
  void wake_acceptor();
  bool should_be_down() const { return down_until_ > Clock::now(); }

  Serve serve_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::endpoint endpoint_;
  boost::asio::ip::tcp::acceptor acceptor_{io_};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  Clock::time_point down_until_{};
  std::list<Peer*> peers_;
  std::size_t threads_ = 0;
  std::thread thread_;
};

}  // namespace sms::simulator
