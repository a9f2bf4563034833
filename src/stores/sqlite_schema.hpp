#pragma once

#include <cstdint>

namespace sms::detail {

constexpr std::int64_t sqlite_application_id = 0x534D5344;  // "SMSD"
constexpr std::int64_t sqlite_schema_version = 1;

/// The first columns are the table of the contract, so that its tools can read the file; the rest is ours: when the row
/// became what it is, by the wall clock and by the clock of the machine's boot, and the ID of the accepted message.
constexpr const char* sqlite_schema = R"sql(
create table if not exists sms_idempotency (
  key            text primary key not null,
  fingerprint    text not null,
  state          text not null check (state in ('reserved', 'accepted', 'rejected', 'unknown')),
  reservation_id text,
  reserved_at    integer,
  record         text,
  expires_at     integer,
  updated_at     integer,
  since_boot     text,
  provider_id    text
);
create index if not exists sms_idempotency_open
  on sms_idempotency (coalesce(reserved_at, updated_at, 0), key) where state in ('reserved', 'unknown');
create index if not exists sms_idempotency_expiry
  on sms_idempotency (expires_at) where expires_at is not null;
create index if not exists sms_idempotency_provider_id
  on sms_idempotency (provider_id) where provider_id is not null;
create table if not exists sms_store (
  name  text primary key not null,
  value text not null
);
create table if not exists sms_audit (
  id     integer primary key autoincrement,
  at     integer not null,
  key    text not null,
  who    text not null,
  action text not null,
  why    text not null,
  before text not null
);
insert or ignore into sms_store (name, value) values ('identity', lower(hex(randomblob(16))));
pragma application_id = 1397576516;
pragma user_version = 1;
)sql";

}  // namespace sms::detail
