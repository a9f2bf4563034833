#pragma once

#include <hiredis/hiredis.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sms::detail {

/// A connection that can be used no longer, and why.
class RedisLinkFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The server answers, and must not be used as it is: a matter for whoever runs it.
class RedisRefusal : public RedisLinkFailure {
 public:
  using RedisLinkFailure::RedisLinkFailure;
};

/// One answer of a server.
struct RespValue {
  enum class Kind { nil, text, integer, array, error };
  Kind kind = Kind::nil;
  std::string text = {};
  std::int64_t integer = 0;
  std::vector<RespValue> items = {};

  bool is_error() const noexcept { return kind == Kind::error; }
  /// The first word of an error: its kind.
  std::string_view error_word() const noexcept;
  std::optional<std::string> text_if() const;
};

using RedisCommand = std::vector<std::string>;

/// Appends the command as it goes over the wire.
void append_command(std::string& out, std::span<const std::string_view> command);
void append_command(std::string& out, const RedisCommand& command);

/// Cuts what comes in into answers.
class RespReader {
 public:
  RespReader() : reader_(redisReaderCreate()) {}

  void feed(std::string_view bytes);
  /// Throws `RedisLinkFailure` for what is no answer.
  std::optional<RespValue> next();

 private:
  struct Free {
    void operator()(redisReader* reader) const noexcept { redisReaderFree(reader); }
  };
  std::unique_ptr<redisReader, Free> reader_;
};

}  // namespace sms::detail
