#pragma once

#include <sms/operator_store.hpp>

#include "stores/redis/rows.hpp"
#include "stores/redis/session.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sms::detail {

/// What operators ask and change, over a session of their own. Lists and counts look at every key of the store.
class RedisOperators {
 public:
  explicit RedisOperators(std::shared_ptr<RedisShared> shared, const char* operation)
      : shared_(shared), session_(std::move(shared), operation), now_(session_.now()) {}

  ListPage list(const ListRequest& request);
  std::optional<KeyView> show(const std::string& key);
  OperatorResult resolve(const ResolveRequest& request);
  OperatorResult release(const ReleaseRequest& request);
  std::size_t purge_expired(std::size_t limit);
  StoreStats stats();
  std::vector<AuditRow> audit(std::size_t limit, const std::optional<std::string>& key);

 private:
  std::optional<RedisRow> find(const std::string& key);
  KeyView view(const RedisRow& row) const;
  /// Every row, expired ones too.
  void each_row(const std::function<void(const RedisRow&)>& use);
  bool id_in_use(const ResolveRequest& request);

  std::shared_ptr<RedisShared> shared_;
  RedisSession session_;
  WallTime now_;
};

}  // namespace sms::detail
