#include "simulator/listener.hpp"

#include <sys/socket.h>

#include <stdexcept>
#include <utility>

namespace sms::simulator {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

Listener::Listener(const std::string& host, std::uint16_t port, Serve serve) : serve_(std::move(serve)) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error) throw std::runtime_error("host must be an IP address");
  endpoint_ = tcp::endpoint(address, port);
  try {
    listen();
    endpoint_ = acceptor_.local_endpoint();
  } catch (const boost::system::system_error& failure) {
    throw std::runtime_error("cannot listen on " + host + ":" + std::to_string(port) + ": " + failure.code().message());
  }
  thread_ = std::thread([this] { run(); });
}

Listener::~Listener() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (auto* peer : peers_) ::shutdown(peer->socket.native_handle(), SHUT_RDWR);
    wake_acceptor();
  }
  changed_.notify_all();
  thread_.join();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return threads_ == 0; });
}

std::string Listener::url() const {
  const auto host = endpoint_.address().to_string();
  return "http://" + (endpoint_.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(port());
}

void Listener::listen() {
  acceptor_.open(endpoint_.protocol());
  acceptor_.set_option(tcp::acceptor::reuse_address(true));
  acceptor_.bind(endpoint_);
  acceptor_.listen();
}

void Listener::run() {
  for (int number = 1;;) {
    boost::system::error_code error;
    std::unique_lock lock(mutex_);
    while (!stopping_ && (should_be_down() || !acceptor_.is_open())) {
      if (acceptor_.is_open()) acceptor_.close(error);
      if (should_be_down()) {
        for (auto* peer : peers_) {
          if (peer->waiting) ::shutdown(peer->socket.native_handle(), SHUT_RDWR);
        }
        changed_.notify_all();
        changed_.wait_until(lock, down_until_);
      } else {
        try {
          listen();
          changed_.notify_all();
        } catch (const boost::system::system_error&) {
          acceptor_.close(error);
          changed_.wait_for(lock, 10ms);  // Another program may have taken the port meanwhile.
        }
      }
    }
    if (stopping_) return;
    lock.unlock();
    auto peer = std::make_unique<Peer>(Peer{tcp::socket(io_), number});
    acceptor_.accept(peer->socket, error);
    if (!error) {
      ++number;
      start(std::move(peer));
    } else if (error == asio::error::invalid_argument) {
      lock.lock();
      acceptor_.close(error);  // It was woken to go down, and the time may be over already.
    } else {
      std::this_thread::sleep_for(1ms);  // Perhaps it is out of descriptors.
    }
  }
}

void Listener::start(std::unique_ptr<Peer> peer) {
  boost::system::error_code ignored;
  peer->socket.set_option(tcp::no_delay(true), ignored);
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  peers_.push_back(peer.get());
  ++threads_;
  std::thread([this, owned = std::move(peer)]() mutable {
    serve_(*owned);
    {
      const std::lock_guard guard(mutex_);
      peers_.remove(owned.get());
    }
    boost::system::error_code none;
    owned->socket.close(none);  // Its destructor would not send the RST that a fault has asked for.
    owned.reset();
    const std::lock_guard guard(mutex_);
    --threads_;
    changed_.notify_all();
  }).detach();
}

void Listener::wake_acceptor() {
  if (acceptor_.is_open()) ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
}

void Listener::go_down_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  down_until_ = Clock::now() + time;
  wake_acceptor();
  changed_.notify_all();
  changed_.wait(lock, [this] { return stopping_ || !acceptor_.is_open() || !should_be_down(); });
}

void Listener::come_up() {
  std::unique_lock lock(mutex_);
  down_until_ = {};
  changed_.notify_all();
  changed_.wait(lock, [this] { return stopping_ || acceptor_.is_open() || should_be_down(); });
}

bool Listener::wait_for_request(Peer& peer) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || should_be_down()) return false;
    peer.waiting = true;
  }
  boost::system::error_code error;
  peer.socket.wait(tcp::socket::wait_read, error);
  const std::lock_guard lock(mutex_);
  peer.waiting = false;
  return !error && peer.socket.available(error) > 0 && !error;
}

void Listener::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return stopping_; });
}

}  // namespace sms::simulator
