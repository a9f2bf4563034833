#include "stores/redis/scripts.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace sms::detail {
namespace {

std::string sha1_hex(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) {
    throw std::runtime_error("SHA-1 is not available");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += digits[digest.at(i) >> 4U];
    hex += digits[digest.at(i) & 15U];
  }
  return hex;
}

// TIME inside a script is allowed since effects are replicated (Redis 5). Numbers go out as text without an exponent.
constexpr const char* clock = R"lua(
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function ms(number) return string.format('%.0f', number) end
local function answer(...) return {KEYS[1], ARGV[1], ms(now), ...} end
if ARGV[2] ~= '' and now >= tonumber(ARGV[2]) then return answer('late') end
)lua";

// A hash without a state is a damaged row, not a free key.
constexpr const char* row = R"lua(
local row = redis.call('HMGET', KEYS[1], 'state', 'fingerprint', 'reservation_id', 'reserved_at', 'record',
                       'expires_at', 'updated_at', 'version')
local state, owner = row[1], row[3]
local final = state == 'accepted' or state == 'rejected'
if state and not final and state ~= 'reserved' and state ~= 'unknown' or
   not state and redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.error_reply('SMSROW the row cannot be read')
end
local expired = final and row[6] and tonumber(row[6]) <= now
local there = state and not expired
)lua";

// The row is made anew: nothing of the old one stays, least of all its expiry.
constexpr const char* write_final = R"lua(
local function write_final()
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'state', ARGV[5], 'fingerprint', ARGV[4], 'record', ARGV[6], 'updated_at', ms(now),
             'version', ARGV[1])
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'reservation_id', ARGV[3]) end
  if ARGV[9] ~= '' then redis.call('HSET', KEYS[1], 'provider_id', ARGV[9]) end
  if ARGV[5] == 'accepted' or ARGV[5] == 'rejected' then
    local from = now
    if ARGV[8] ~= '' then from = math.max(now, tonumber(ARGV[8])) end
    local expires_at = ms(from + tonumber(ARGV[7]))
    redis.call('HSET', KEYS[1], 'expires_at', expires_at)
    redis.call('PEXPIREAT', KEYS[1], expires_at)
  end
end
)lua";

// The row as an operator saw it, field by field: '' for one that was not there, '+' before the value of another.
constexpr const char* compare = R"lua(
local function is_as_seen(first)
  for i = 1, 8 do
    if ARGV[first + i - 1] ~= (row[i] and '+' .. row[i] or '') then return false end
  end
  return true
end
local function write_audit(text) redis.call('RPUSH', KEYS[2], ms(now) .. ' ' .. ARGV[1] .. ' ' .. text) end
local function is_repeated()
  local last = redis.call('LINDEX', KEYS[2], -1)
  return last and string.find(last, ' ' .. ARGV[1] .. ' ', 1, true)
end
)lua";

RedisScript script(std::initializer_list<const char*> parts) {
  std::string text;
  for (const auto* part : parts) text += part;
  return RedisScript(std::move(text));
}

}  // namespace

RedisScript::RedisScript(std::string source) : text(std::move(source)), sha(sha1_hex(text)) {}

const RedisScript& RedisScripts::get() {
  static const auto made = script({clock, row, R"lua(
if not there then return answer('none') end
return answer('row', unpack(row, 1, 8))
)lua"});
  return made;
}

const RedisScript& RedisScripts::reserve() {
  static const auto made = script({clock, row, R"lua(
if state == 'reserved' and owner == ARGV[3] and owner ~= '' then
  redis.call('HSET', KEYS[1], 'updated_at', ms(now), 'version', ARGV[1])
  return answer('done')
end
if there and not (state == 'rejected' and row[2] == ARGV[4]) then return answer('existing', unpack(row, 1, 8)) end
if state then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'state', 'reserved', 'fingerprint', ARGV[4], 'reservation_id', ARGV[3],
           'reserved_at', ms(now), 'updated_at', ms(now), 'version', ARGV[1])
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::finalize() {
  static const auto made = script({clock, row, write_final, R"lua(
if owner ~= ARGV[3] or owner == '' then return answer('not_owner') end
if state == 'reserved' then
  write_final()
  return answer('done')
end
if row[5] ~= ARGV[6] then return answer('not_owner') end
redis.call('HSET', KEYS[1], 'version', ARGV[1])
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::settle() {
  static const auto made = script({clock, row, write_final, R"lua(
if row[8] == ARGV[1] then
  redis.call('HSET', KEYS[1], 'version', ARGV[1])
  return answer('done')
end
local proved = ARGV[5]
local ours = there and owner == ARGV[3]
local stronger
if not there then
  stronger = proved ~= 'rejected'
elseif state == 'reserved' then
  stronger = ours or proved == 'accepted'
elseif state == 'rejected' then
  stronger = proved ~= 'rejected'
elseif state == 'unknown' then
  stronger = proved == 'accepted' or ours and proved == 'rejected'
elseif proved == 'accepted' then
  local read, record = pcall(cjson.decode, row[5])
  if not read or type(record) ~= 'table' or type(record.result) ~= 'table' then
    return redis.error_reply('SMSROW the row cannot be read')
  end
  if record.result.provider ~= ARGV[10] or record.result.providerId ~= ARGV[9] then return answer('duplicate') end
end
if not stronger then return answer('kept') end
write_final()
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::mark() {
  static const auto made = script({clock, row, R"lua(
if state ~= 'reserved' or owner ~= ARGV[3] or owner == '' then return answer('not_owner') end
redis.call('HSET', KEYS[1], 'record', ARGV[4], 'updated_at', ms(now), 'version', ARGV[1])
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::resolve() {
  static const auto made = script({clock, row, write_final, compare, R"lua(
if is_repeated() then return answer('done') end
if not there then return answer('none') end
if not is_as_seen(11) then return answer('changed') end
write_final()
write_audit(ARGV[10])
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::release() {
  static const auto made = script({clock, row, compare, R"lua(
if is_repeated() then return answer('done') end
if not there then return answer('none') end
if not is_as_seen(4) then return answer('changed') end
if state == 'accepted' then return answer('changed') end
redis.call('DEL', KEYS[1])
write_audit(ARGV[3])
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::purge() {
  static const auto made = script({clock, row, R"lua(
if not expired then return answer('kept') end
redis.call('DEL', KEYS[1])
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::join() {
  static const auto made = script({clock, R"lua(
if ARGV[3] ~= '' then redis.call('HSETNX', KEYS[1], 'identity', ARGV[3]) end
return answer('done', redis.call('HGET', KEYS[1], 'identity'), redis.call('HGET', KEYS[1], 'restored_at'),
              redis.call('GET', KEYS[2]), redis.call('HGET', KEYS[1], 'stale_reservation_ms'))
)lua"});
  return made;
}

const RedisScript& RedisScripts::raise() {
  static const auto made = script({clock, R"lua(
local largest = redis.call('HGET', KEYS[1], 'stale_reservation_ms')
if not largest or tonumber(largest) < tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[1], 'stale_reservation_ms', ARGV[3])
end
return answer('done')
)lua"});
  return made;
}

const RedisScript& RedisScripts::acknowledge() {
  static const auto made = script({clock, R"lua(
redis.call('HSETNX', KEYS[1], 'identity', ARGV[3])
local before = tonumber(redis.call('HGET', KEYS[1], 'restored_at') or '0')
redis.call('HSET', KEYS[1], 'restored_at', ms(math.max(now, before + 1, tonumber(ARGV[5]) + 1)))
redis.call('RPUSH', KEYS[2], ms(now) .. ' ' .. ARGV[1] .. ' ' .. ARGV[4])
return answer('done')
)lua"});
  return made;
}

}  // namespace sms::detail
