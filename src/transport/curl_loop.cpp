#include "transport/curl_loop.hpp"

#include <sms/error.hpp>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace sms::detail {

CurlLoop::CurlLoop(CurlTransportOptions options)
    : options_(std::move(options)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  multi_.reset(curl_multi_init());
  if (initialised != CURLE_OK || epoll_ < 0 || wake_ < 0 || !multi_) {
    throw ConfigurationError("the HTTP transport cannot start: no file descriptor or no memory");
  }
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &CurlLoop::on_socket);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, static_cast<void*>(this));
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERFUNCTION, &CurlLoop::on_timer);
  curl_multi_setopt(multi_.get(), CURLMOPT_TIMERDATA, static_cast<void*>(this));
  curl_multi_setopt(multi_.get(), CURLMOPT_PIPELINING, long{CURLPIPE_NOTHING});
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(options_.max_connections));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake_;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);
}

CurlLoop::~CurlLoop() {
  spare_handles_.clear();
  multi_.reset();
  if (wake_ >= 0) close(wake_);
  if (epoll_ >= 0) close(epoll_);
}

bool CurlLoop::submit(std::shared_ptr<CurlExchange> exchange) {
  const std::weak_ptr<CurlLoop> loop = weak_from_this();
  const std::weak_ptr<CurlExchange> weak = exchange;
  auto& gate = exchange->gate();
  if (!post({Kind::begin, std::move(exchange)})) return false;
  gate.on_release([loop, weak] {
    const auto alive = loop.lock();
    auto released = weak.lock();
    if (alive && released) alive->post({Kind::release, std::move(released)});
  });
  return true;
}

bool CurlLoop::post(Message message) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    inbox_.push_back(std::move(message));
    if (inbox_.size() > 1) return true;  // Whoever put in the first one has woken the thread.
  }
  const std::uint64_t one = 1;
  return write(wake_, &one, sizeof one) == sizeof one;
}

void CurlLoop::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto woken = write(wake_, &one, sizeof one);
}

void CurlLoop::run() {
  std::array<epoll_event, 64> events{};
  int still_running = 0;
  for (;;) {
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait_limit());
    bool woken = false;
    for (int i = 0; i < count; ++i) {
      const auto& event = events[static_cast<std::size_t>(i)];
      if (event.data.fd == wake_) {
        woken = true;
        continue;
      }
      const unsigned flags = event.events;
      const int action = ((flags & EPOLLIN) != 0U ? CURL_CSELECT_IN : 0) |
                         ((flags & EPOLLOUT) != 0U ? CURL_CSELECT_OUT : 0) |
                         ((flags & (EPOLLERR | EPOLLHUP)) != 0U ? CURL_CSELECT_ERR : 0);
      curl_multi_socket_action(multi_.get(), event.data.fd, action, &still_running);
    }
    if (timer_ && *timer_ <= std::chrono::steady_clock::now()) {
      timer_.reset();
      curl_multi_socket_action(multi_.get(), CURL_SOCKET_TIMEOUT, 0, &still_running);
    }
    collect_ended();
    if (woken) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const auto drained = read(wake_, &ignored, sizeof ignored);
      take_messages();
      const std::lock_guard lock(mutex_);
      if (stopped_) break;
    }
  }
  end_all();
}

int CurlLoop::wait_limit() const {
  if (!timer_) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*timer_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 60'000));
}

int CurlLoop::on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known) {
  auto& loop = *static_cast<CurlLoop*>(self);
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(loop.epoll_, EPOLL_CTL_DEL, socket, nullptr);
    curl_multi_assign(loop.multi_.get(), socket, nullptr);
    return 0;
  }
  epoll_event event{};
  event.data.fd = socket;
  event.events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
  epoll_ctl(loop.epoll_, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
  curl_multi_assign(loop.multi_.get(), socket, &loop);
  return 0;
}

int CurlLoop::on_timer(CURLM*, long timeout_ms, void* self) {
  auto& timer = static_cast<CurlLoop*>(self)->timer_;
  timer.reset();
  if (timeout_ms >= 0) timer = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  return 0;
}

void CurlLoop::take_messages() {
  std::vector<Message> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(inbox_);
  }
  for (auto& message : messages) {
    switch (message.kind) {
      case Kind::begin:
        admit(std::move(message.exchange));
        break;
      case Kind::release:
        release(message.exchange);
        break;
    }
  }
}

void CurlLoop::admit(Exchange exchange) {
  if (exchange->gate().state() != AttemptGate::State::open) return exchange->answer(exchange->finish("stopped"));
  if (closing_) return exchange->answer(exchange->finish("the transport was closed"));
  if (exchange->origin().empty()) return exchange->answer(exchange->finish("the URL is not absolute"));
  auto& origin = origins_.try_emplace(std::string(exchange->origin())).first->second;
  if (running_.size() < options_.max_connections && origin.running < options_.max_connections_per_host) {
    start(std::move(exchange), origin);
  } else {
    origin.waiting.push_back(std::move(exchange));
    ++waiting_;
  }
}

void CurlLoop::start(Exchange exchange, Origin& origin) {
  EasyHandle handle;
  if (spare_handles_.empty()) {
    handle.reset(curl_easy_init());
  } else {
    handle = std::move(spare_handles_.back());
    spare_handles_.pop_back();
  }
  ++origin.running;
  running_.insert(exchange);
  exchange->begin(std::move(handle), options_);
  if (curl_multi_add_handle(multi_.get(), exchange->handle()) != CURLM_OK) {
    end(exchange, exchange->finish("libcurl did not take the request"));
  }
}

void CurlLoop::start_waiting() {
  if (waiting_ == 0) return;
  for (auto& [name, origin] : origins_) {
    while (!origin.waiting.empty() && running_.size() < options_.max_connections &&
           origin.running < options_.max_connections_per_host) {
      auto next = std::move(origin.waiting.front());
      origin.waiting.pop_front();
      --waiting_;
      start(std::move(next), origin);
    }
  }
}

void CurlLoop::release(const Exchange& exchange) {
  if (running_.contains(exchange)) return end(exchange, exchange->finish("stopped"));
  const auto origin = origins_.find(exchange->origin());
  if (origin == origins_.end()) return;
  auto& waiting = origin->second.waiting;
  const auto at = std::ranges::find(waiting, exchange);
  if (at == waiting.end()) return;
  waiting.erase(at);
  --waiting_;
  exchange->answer(exchange->finish("stopped while waiting for a connection"));
}

void CurlLoop::end(const Exchange& exchange, HttpExchange result) {
  const Exchange alive = exchange;
  running_.erase(alive);
  --origins_.find(alive->origin())->second.running;
  auto handle = alive->take_handle();
  curl_multi_remove_handle(multi_.get(), handle.get());
  curl_easy_reset(handle.get());
  spare_handles_.push_back(std::move(handle));
  start_waiting();
  alive->answer(std::move(result));
}

void CurlLoop::collect_ended() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    void* self = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &self);
    const auto code = message->data.result;
    const Exchange exchange = static_cast<CurlExchange*>(self)->shared_from_this();
    end(exchange, exchange->finish(code));
  }
}

void CurlLoop::end_all() {
  closing_ = true;
  take_messages();
  for (auto& [name, origin] : origins_) {
    for (const auto& exchange : std::exchange(origin.waiting, {}))
      exchange->answer(exchange->finish("the transport was closed"));
  }
  waiting_ = 0;
  while (!running_.empty()) {
    const Exchange exchange = *running_.begin();
    end(exchange, exchange->finish("the transport was closed"));
  }
}

}  // namespace sms::detail
