#include "stores/redis/operators.hpp"

#include <sms/error.hpp>

#include "core/operator_rules.hpp"
#include "stores/redis/audit.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sms::detail {
namespace {

OperatorResult result_of(const RespValue& answer) {
  const auto& word = answer.items[3].text;
  if (word == "done") return OperatorResult::done;
  return word == "none" ? OperatorResult::not_found : OperatorResult::changed;
}

RedisCommand row_command(const std::string& name) {
  RedisCommand command{"HMGET", name};
  command.insert(command.end(), std::begin(redis_row_fields), std::end(redis_row_fields));
  return command;
}

}  // namespace

ListPage RedisOperators::list(const ListRequest& request) {
  const auto after = ListCursor::parse(request.cursor);
  std::map<ListCursor, KeyView> found;
  bool more = false;
  each_row([&](const RedisRow& row) {
    const ListCursor place{row.since().value_or(WallTime()), row.key};
    if (row.expired(now_) || !(place > after)) return;
    auto seen = view(row);
    if (!is_listed(seen, request)) return;
    found.emplace(place, std::move(seen));
    if (found.size() <= request.limit) return;
    found.erase(std::prev(found.end()));
    more = true;
  });
  ListPage page;
  if (more) page.next_cursor = found.empty() ? after.to_text() : std::prev(found.end())->first.to_text();
  for (auto& [place, seen] : found) page.keys.push_back(std::move(seen));
  return page;
}

std::optional<KeyView> RedisOperators::show(const std::string& key) {
  const auto row = find(key);
  return row ? std::optional(view(*row)) : std::nullopt;
}

OperatorResult RedisOperators::resolve(const ResolveRequest& request) {
  const auto row = find(request.key);
  const auto seen = row ? std::optional(view(*row)) : std::nullopt;
  const auto result = may_resolve(seen, request);
  if (result != OperatorResult::done) return result;
  if (id_in_use(request)) return OperatorResult::id_in_use;

  FinalizeRequest final_record;
  final_record.key = request.key;
  final_record.reservation_id = seen->reservation_id.value_or(std::string());
  final_record.record =
      resolved_record(seen->record, request.provider, request.provider_id, message_id_of(seen->reservation_id));
  final_record.ttl = request.ttl;
  auto arguments = final_arguments(final_record);
  arguments.back() = audit_text(request.note, audit_action(request), to_json(seen->record));
  for (auto& field : as_seen(*row)) arguments.push_back(std::move(field));
  const auto& names = shared_->names;
  return result_of(
      session_.run(RedisScripts::resolve(), {names.key(request.key), names.audit(request.key)}, arguments, draw_hex()));
}

OperatorResult RedisOperators::release(const ReleaseRequest& request) {
  const auto row = find(request.key);
  const auto seen = row ? std::optional(view(*row)) : std::nullopt;
  const auto result = may_release(seen, request, shared_->memory.stale_reservation());
  if (result != OperatorResult::done) return result;
  std::vector<std::string> arguments{audit_text(request.note, audit_action(request), to_json(seen->record))};
  for (auto& field : as_seen(*row)) arguments.push_back(std::move(field));
  const auto& names = shared_->names;
  return result_of(
      session_.run(RedisScripts::release(), {names.key(request.key), names.audit(request.key)}, arguments, draw_hex()));
}

std::size_t RedisOperators::purge_expired(std::size_t limit) {
  std::vector<std::string> expired;
  each_row([&](const RedisRow& row) {
    if (row.expired(now_) && expired.size() < limit) expired.push_back(row.key);
  });
  std::size_t removed = 0;
  for (const auto& key : expired) {
    const auto answer = session_.run(RedisScripts::purge(), {shared_->names.key(key)}, {}, draw_hex());
    if (answer.items[3].text == "done") ++removed;
  }
  return removed;
}

StoreStats RedisOperators::stats() {
  StoreStats stats;
  each_row([&](const RedisRow& row) {
    if (row.expired(now_)) {
      ++stats.expired;
    } else {
      count(stats, view(row));
    }
  });
  return stats;
}

std::vector<AuditRow> RedisOperators::audit(std::size_t limit, const std::optional<std::string>& key) {
  std::vector<std::tuple<WallTime, std::size_t, AuditRow>> found;
  const auto last = "-" + std::to_string(std::max<std::size_t>(limit, 1));
  const auto take = [&](const std::string& name, const std::string& of_key) {
    const auto entries = session_.execute(name, {{"LRANGE", name, last, "-1"}}).front();
    for (const auto& entry : entries.items) {
      if (auto row = read_audit(of_key, entry.text)) found.emplace_back(row->at, found.size(), *std::move(row));
    }
  };
  const auto& names = shared_->names;
  if (key) {
    take(names.audit(*key), *key);
  } else {
    take(names.store_audit(), {});
    session_.scan(names.all_audits(), [&](const std::vector<std::string>& page) {
      for (const auto& name : page) {
        if (const auto of_key = names.key_of(name)) take(name, *of_key);
      }
    });
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) > std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<AuditRow> rows;
  for (auto& [at, order, row] : found) {
    if (rows.size() < limit) rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<RedisRow> RedisOperators::find(const std::string& key) {
  const auto answer = session_.run(RedisScripts::get(), {shared_->names.key(key)}, {}, draw_hex());
  now_ = answered_at(answer);
  if (answer.items[3].text == "none") return std::nullopt;
  return read_row(key, std::span(answer.items).subspan(4));
}

KeyView RedisOperators::view(const RedisRow& row) const {
  return view_of(row, row.version, age_of(row, now_), shared_->memory.stale_reservation());
}

void RedisOperators::each_row(const std::function<void(const RedisRow&)>& use) {
  session_.scan(shared_->names.all_keys(), [&](const std::vector<std::string>& page) {
    std::map<std::uint16_t, std::vector<std::pair<std::string, std::string>>> by_slot;
    for (const auto& name : page) {
      const auto key = shared_->names.key_of(name);
      // Without a cluster one pipeline serves all.
      if (key) by_slot[session_.facts().cluster ? redis_slot(name) : std::uint16_t{0}].emplace_back(name, *key);
    }
    for (const auto& [slot, keys] : by_slot) {
      std::vector<RedisCommand> commands;
      for (const auto& [name, key] : keys) commands.push_back(row_command(name));
      const auto answers = session_.execute(keys.front().first, commands);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto& fields = answers[i].items;
        const bool gone = std::ranges::all_of(fields, [](const auto& f) { return f.kind == RespValue::Kind::nil; });
        if (fields.size() == std::size(redis_row_fields) && !gone) use(read_row(keys[i].second, fields));
      }
    }
  });
}

bool RedisOperators::id_in_use(const ResolveRequest& request) {
  bool found = false;
  each_row([&](const RedisRow& row) {
    if (found || row.key == request.key || row.state != RecordState::accepted || row.expired(now_)) return;
    const auto record = record_of(row);
    const auto& result = std::get<AcceptedRecord>(record).result;
    found = result.provider == request.provider && result.provider_id == request.provider_id;
  });
  return found;
}

}  // namespace sms::detail
