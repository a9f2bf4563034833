#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

namespace sms::detail {

/// What the connections of a store share for TLS.
class RedisTls {
 public:
  /// Throws `ConfigurationError` when the CA file cannot be read.
  explicit RedisTls(const std::string& ca_file);
  SSL_CTX* get() const noexcept { return context_.get(); }

 private:
  struct Free {
    void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
  };
  std::unique_ptr<SSL_CTX, Free> context_;
};

/// One end of a TLS connection that touches no socket: bytes go in and come out, so that it can neither block nor
/// raise SIGPIPE.
class TlsChannel {
 public:
  TlsChannel(const RedisTls& tls, const std::string& host);

  /// Throws `RedisLinkFailure`.
  void take_encrypted(std::string_view bytes);
  /// Goes on with the handshake; true once it is over.
  bool shake_hands();
  void encrypt(std::string_view bytes);
  /// What has to go to the other end, appended.
  void give_encrypted(std::string& out);
  /// What the other end said, appended; false at its end.
  bool decrypt(std::string& out);

 private:
  struct Free {
    void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
  };
  std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace sms::detail
