#include "stores/postgres/schema.hpp"

#include <sms/stores/postgres.hpp>

namespace sms::detail {
namespace {

// The first seven columns are the table of the contract. Random bits of a server without gen_random_uuid() (before 13)
// come from random(), which is enough to tell stores apart.
constexpr const char* tables = R"sql(do $sms$
begin
  perform set_config('lock_timeout', '5s', true), pg_advisory_xact_lock(1397576516);
  create table if not exists sms_idempotency (
    key            text primary key,
    fingerprint    text not null,
    state          text not null check (state in ('reserved', 'accepted', 'rejected', 'unknown')),
    reservation_id text,
    reserved_at    bigint,
    record         jsonb,
    expires_at     bigint,
    updated_at     bigint,
    provider_id    text
  ) with (fillfactor = 80);
  if (select count(*) from pg_attribute where attrelid = 'sms_idempotency'::regclass and not attisdropped
      and attname in ('updated_at', 'provider_id')) < 2 then
    alter table sms_idempotency add column if not exists updated_at bigint, add column if not exists provider_id text;
  end if;
  if (select coalesce(reloptions, '{}') from pg_class where oid = 'sms_idempotency'::regclass)::text not like
      '%fillfactor%' then
    alter table sms_idempotency set (fillfactor = 80);
  end if;
  create table if not exists sms_store (
    name  text primary key,
    value text not null
  );
  create table if not exists sms_audit (
    id     bigint generated always as identity primary key,
    at     bigint not null,
    key    text not null,
    who    text not null,
    action text not null,
    why    text not null,
    before text not null
  );
  insert into sms_store (name, value)
    values ('identity', md5(random()::text || random()::text || clock_timestamp()::text || pg_backend_pid()::text))
    on conflict (name) do nothing;
end
$sms$)sql";

constexpr const char* open_index =
    "create index concurrently if not exists sms_idempotency_open on sms_idempotency "
    "(coalesce(reserved_at, updated_at, 0), key collate \"C\") where state in ('reserved', 'unknown')";
constexpr const char* expiry_index =
    "create index concurrently if not exists sms_idempotency_expiry on sms_idempotency (expires_at) "
    "where expires_at is not null";
constexpr const char* provider_id_index =
    "create index concurrently if not exists sms_idempotency_provider_id on sms_idempotency (provider_id) "
    "where provider_id is not null";

constexpr const char* guard = R"sql(create or replace function sms_idempotency_guard() returns trigger
language plpgsql as $sms$
begin
  if new.state = 'reserved' and new.reservation_id is distinct from old.reservation_id
     and (old.state in ('reserved', 'unknown')
          or (old.state = 'accepted'
              and (old.expires_at is null or old.expires_at > floor(extract(epoch from clock_timestamp()) * 1000))))
  then
    return null;
  end if;
  return new;
end
$sms$;
drop trigger if exists sms_idempotency_guard on sms_idempotency;
create trigger sms_idempotency_guard before update on sms_idempotency
  for each row when (new.state = 'reserved') execute function sms_idempotency_guard();
)sql";

}  // namespace

const std::vector<std::string>& postgres_migration() {
  static const std::vector<std::string> statements = {tables, open_index, expiry_index, provider_id_index};
  return statements;
}

}  // namespace sms::detail

namespace sms {

std::string postgres_guard_sql() { return detail::guard; }

}  // namespace sms
