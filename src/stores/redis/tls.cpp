#include "stores/redis/tls.hpp"

#include <sms/error.hpp>

#include "stores/redis/resp.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <array>

namespace sms::detail {
namespace {

constexpr std::size_t piece = 16 * 1024;

bool is_address(const std::string& host) {
  std::array<unsigned char, 16> address{};
  return inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

[[noreturn]] void fail(const SSL* ssl) {
  ERR_clear_error();
  const long verdict = SSL_get_verify_result(ssl);
  if (verdict != X509_V_OK) {
    throw RedisRefusal(std::string("the server's certificate is refused: ") + X509_verify_cert_error_string(verdict));
  }
  throw RedisLinkFailure("TLS failed");
}

}  // namespace

RedisTls::RedisTls(const std::string& ca_file) : context_(SSL_CTX_new(TLS_client_method())) {
  if (!context_) throw ConfigurationError("redis store: TLS is not available");
  SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
  const int loaded = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context_.get())
                                     : SSL_CTX_load_verify_locations(context_.get(), ca_file.c_str(), nullptr);
  ERR_clear_error();
  if (loaded != 1) throw ConfigurationError("redis store: ca_file cannot be read as PEM certificates");
}

TlsChannel::TlsChannel(const RedisTls& tls, const std::string& host) : ssl_(SSL_new(tls.get())) {
  BIO* const in = BIO_new(BIO_s_mem());
  BIO* const out = BIO_new(BIO_s_mem());
  if (!ssl_ || in == nullptr || out == nullptr) throw RedisLinkFailure("TLS is not available");
  BIO_set_mem_eof_return(in, -1);
  SSL_set_bio(ssl_.get(), in, out);
  SSL_set_connect_state(ssl_.get());
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
  } else {
    // The macro for it casts as C does.
    SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(host.c_str()));
    SSL_set1_host(ssl_.get(), host.c_str());
  }
}

void TlsChannel::take_encrypted(std::string_view bytes) {
  if (BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size())) !=
      static_cast<int>(bytes.size())) {
    fail(ssl_.get());
  }
}

bool TlsChannel::shake_hands() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  if (result == 1) return true;
  if (SSL_get_error(ssl_.get(), result) != SSL_ERROR_WANT_READ) fail(ssl_.get());
  return false;
}

void TlsChannel::encrypt(std::string_view bytes) {
  ERR_clear_error();
  while (!bytes.empty()) {
    const auto part = bytes.substr(0, piece);
    if (SSL_write(ssl_.get(), part.data(), static_cast<int>(part.size())) <= 0) fail(ssl_.get());
    bytes.remove_prefix(part.size());
  }
}

void TlsChannel::give_encrypted(std::string& out) {
  std::array<char, piece> buffer;
  for (int size; (size = BIO_read(SSL_get_wbio(ssl_.get()), buffer.data(), static_cast<int>(buffer.size()))) > 0;) {
    out.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

bool TlsChannel::decrypt(std::string& out) {
  std::array<char, piece> buffer;
  for (;;) {
    ERR_clear_error();
    const int size = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (size > 0) {
      out.append(buffer.data(), static_cast<std::size_t>(size));
      continue;
    }
    switch (SSL_get_error(ssl_.get(), size)) {
      case SSL_ERROR_WANT_READ:
        return true;
      case SSL_ERROR_ZERO_RETURN:
        return false;
      default:
        fail(ssl_.get());
    }
  }
}

}  // namespace sms::detail
