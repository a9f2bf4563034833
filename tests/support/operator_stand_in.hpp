#pragma once

#include <sms/error.hpp>
#include <sms/operator_store.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sms::tests {

/// What a tool gets from a store of operators, told beforehand.
class OperatorStandIn : public OperatorStore {
 public:
  std::vector<std::vector<std::string>> pages;
  std::size_t expired = 0;
  StoreStats counts;
  std::function<void()> on_purge;

  int lists = 0;
  std::vector<std::size_t> purges;

  ListPage list(const ListRequest& request) override {
    const std::size_t page = request.cursor.empty() ? 0 : std::stoul(request.cursor);
    ++lists;
    ListPage answer;
    for (const std::string& key : pages.at(page)) {
      KeyView view;
      view.key = key;
      answer.keys.push_back(view);
    }
    if (page + 1 < pages.size()) answer.next_cursor = std::to_string(page + 1);
    return answer;
  }
  std::optional<KeyView> show(const std::string&, WallTime) override { return std::nullopt; }
  OperatorResult resolve(const ResolveRequest&) override { return OperatorResult::not_found; }
  OperatorResult release(const ReleaseRequest&) override { return OperatorResult::not_found; }
  std::size_t purge_expired(std::size_t limit, WallTime) override {
    purges.push_back(limit);
    const std::size_t count = std::min(limit, expired);
    expired -= count;
    if (on_purge) on_purge();
    return count;
  }
  StoreStats stats(WallTime) override { return counts; }
  std::vector<AuditRow> audit(std::size_t, const std::optional<std::string>&) override { return {}; }
};

}  // namespace sms::tests
