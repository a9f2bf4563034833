#include "stores/redis/resp.hpp"

#include <utility>

namespace sms::detail {
namespace {

RespValue value_of(const redisReply& reply) {
  RespValue value;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      value.kind = RespValue::Kind::text;
      value.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_ERROR:
      value.kind = RespValue::Kind::error;
      value.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_INTEGER:
      value.kind = RespValue::Kind::integer;
      value.integer = reply.integer;
      break;
    case REDIS_REPLY_ARRAY:
      value.kind = RespValue::Kind::array;
      value.items.reserve(reply.elements);
      for (std::size_t i = 0; i < reply.elements; ++i) value.items.push_back(value_of(*reply.element[i]));
      break;
    default:
      break;
  }
  return value;
}

}  // namespace

std::string_view RespValue::error_word() const noexcept {
  return is_error() ? std::string_view(text).substr(0, text.find(' ')) : std::string_view();
}

std::optional<std::string> RespValue::text_if() const {
  return kind == Kind::text ? std::optional(text) : std::nullopt;
}

void append_command(std::string& out, std::span<const std::string_view> command) {
  out += '*';
  out += std::to_string(command.size());
  out += "\r\n";
  for (const auto word : command) {
    out += '$';
    out += std::to_string(word.size());
    out += "\r\n";
    out += word;
    out += "\r\n";
  }
}

void append_command(std::string& out, const RedisCommand& command) {
  const std::vector<std::string_view> words(command.begin(), command.end());
  append_command(out, words);
}

void RespReader::feed(std::string_view bytes) {
  if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK) {
    throw RedisLinkFailure("the server's answer cannot be read");
  }
}

std::optional<RespValue> RespReader::next() {
  void* found = nullptr;
  if (redisReaderGetReply(reader_.get(), &found) != REDIS_OK) {
    throw RedisLinkFailure("what the server answers is not the protocol of Redis");
  }
  if (found == nullptr) return std::nullopt;
  const std::unique_ptr<void, void (*)(void*)> reply(found, freeReplyObject);
  return value_of(*static_cast<const redisReply*>(found));
}

}  // namespace sms::detail
