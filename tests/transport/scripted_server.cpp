#include "transport/scripted_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace sms::tests {

std::string http_answer(int status, const std::string& body, const std::string& more_headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Status\r\nContent-Type: application/json\r\n" + more_headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

struct ScriptedServer::Tls {
  struct Deleter {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
  };
  std::unique_ptr<SSL_CTX, Deleter> context;
  std::unique_ptr<EVP_PKEY, Deleter> key;
  std::unique_ptr<X509, Deleter> certificate;

  Tls() : context(SSL_CTX_new(TLS_server_method())), key(EVP_EC_gen("P-256")), certificate(X509_new()) {
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(certificate.get(), names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    SSL_CTX_use_certificate(context.get(), certificate.get());
    SSL_CTX_use_PrivateKey(context.get(), key.get());
  }

  std::string write_certificate() const {
    std::string path = "/tmp/sms-test-ca-XXXXXX";
    const int file = mkstemp(path.data());
    std::FILE* out = fdopen(file, "w");
    PEM_write_X509(out, certificate.get());
    std::fclose(out);
    return path;
  }
};

class ScriptedServer::Stream {
 public:
  Stream(int socket, SSL_CTX* context) : socket_(socket) {
    if (context == nullptr) return;
    ssl_ = SSL_new(context);
    SSL_set_fd(ssl_, socket);
    usable_ = SSL_accept(ssl_) == 1;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (ssl_ != nullptr) SSL_free(ssl_);
  }
  bool usable() const { return usable_; }
  long read(char* data, std::size_t size) {
    return ssl_ != nullptr ? SSL_read(ssl_, data, static_cast<int>(size)) : ::recv(socket_, data, size, 0);
  }
  void write(const std::string& data) {
    if (data.empty()) return;
    if (ssl_ != nullptr) {
      SSL_write(ssl_, data.data(), static_cast<int>(data.size()));
    } else {
      [[maybe_unused]] const auto sent = ::send(socket_, data.data(), data.size(), MSG_NOSIGNAL);
    }
  }
  void end(Reaction::End end) {
    if (end == Reaction::End::rst) {
      const linger hard{1, 0};
      setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    if (end == Reaction::End::close_notify && ssl_ != nullptr) SSL_shutdown(ssl_);
  }

 private:
  int socket_;
  SSL* ssl_ = nullptr;
  bool usable_ = true;
};

ScriptedServer::ScriptedServer(Mode mode, Script script) : mode_(mode), script_(std::move(script)) {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL.
  if (mode == Mode::https) {
    tls_ = std::make_unique<Tls>();
    ca_file_ = tls_->write_certificate();
  }
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener_, 256) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    throw std::runtime_error("the test server cannot listen");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_loop(); });
}

ScriptedServer::~ScriptedServer() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  }
  for (auto& thread : threads_) thread.join();
  close(listener_);
  if (!ca_file_.empty()) unlink(ca_file_.c_str());
}

std::string ScriptedServer::url(const std::string& path) const {
  return (mode_ == Mode::https ? "https" : "http") + std::string("://127.0.0.1:") + std::to_string(port_) + path;
}

std::vector<SeenRequest> ScriptedServer::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void ScriptedServer::accept_loop() {
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 || stopping_) {
      if (socket >= 0) close(socket);
      return;
    }
    const int number = ++connections_;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket, number] {
      serve(socket, number);
      const std::lock_guard guard(mutex_);
      std::erase(sockets_, socket);
      close(socket);
    });
  }
}

bool ScriptedServer::read_request(Stream& stream, std::string& buffer, SeenRequest& request) {
  std::string_view wanted_header = "content-length:";
  for (;;) {
    if (const auto end = buffer.find("\r\n\r\n"); end != std::string::npos) {
      std::string lower = buffer.substr(0, end);
      std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      std::size_t length = 0;
      if (const auto at = lower.find(wanted_header); at != std::string::npos) {
        length = std::stoul(lower.substr(at + wanted_header.size()));
      }
      if (buffer.size() >= end + 4 + length) {
        request.head = buffer.substr(0, end);
        request.body = buffer.substr(end + 4, length);
        buffer.erase(0, end + 4 + length);
        return true;
      }
    }
    char part[16384];
    const auto got = stream.read(part, sizeof part);
    if (got <= 0) return false;
    bytes_ += static_cast<std::size_t>(got);
    if (mode_ == Mode::half_headers) return false;
    buffer.append(part, static_cast<std::size_t>(got));
  }
}

void ScriptedServer::serve(int socket, int number) {
  char byte = 0;
  if (mode_ == Mode::silent) {
    while (recv(socket, &byte, 1, 0) > 0) {
    }
    return;
  }
  if (mode_ == Mode::garbage) {
    recv(socket, &byte, 1, 0);
    const std::string noise = "\x00\x01nonsense that no protocol knows\r\n";
    send(socket, noise.data(), noise.size(), MSG_NOSIGNAL);
    return;
  }
  Stream stream(socket, tls_ ? tls_->context.get() : nullptr);
  if (!stream.usable()) return;
  std::string buffer;
  for (int on_connection = 1;; ++on_connection) {
    SeenRequest request;
    request.connection = number;
    request.on_connection = on_connection;
    if (!read_request(stream, buffer, request)) return;
    ++complete_;
    if (keep_) {
      const std::lock_guard lock(mutex_);
      seen_.push_back(request);
    }
    const Reaction reaction = script_(request);
    std::this_thread::sleep_for(reaction.delay);
    if (reaction.byte_pause.count() > 0) {
      for (const char one : reaction.answer) {
        stream.write(std::string(1, one));
        std::this_thread::sleep_for(reaction.byte_pause);
      }
    } else {
      stream.write(reaction.answer);
    }
    if (reaction.end == Reaction::End::keep_alive) continue;
    if (reaction.end == Reaction::End::hang) {
      while (stream.read(&byte, 1) > 0) {
      }
      return;
    }
    return stream.end(reaction.end);
  }
}

}  // namespace sms::tests
