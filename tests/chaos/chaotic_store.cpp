#include "chaos/chaotic_store.hpp"

#include "support/temporary_folder.hpp"

#ifdef SMS_CHAOS_POSTGRES
#include "servers/cutting_proxy.hpp"
#include "servers/postgres_server.hpp"
#endif
#ifdef SMS_CHAOS_REDIS
#include "servers/cutting_proxy.hpp"
#include "servers/redis_server.hpp"
#endif
#ifdef SMS_CHAOS_DYNAMODB
#include <sms/store_maintenance.hpp>
#include <sms/stores/open.hpp>

#include "servers/dynamo_stub.hpp"
#endif

#include <stdexcept>

namespace sms::chaos {
namespace {

class SqliteFile final : public ChaoticStore {
 public:
  std::string url() const override { return "sqlite:" + folder_.file("keys.db"); }
  std::string direct_url() const override { return url(); }
  bool cuttable() const override { return false; }

 private:
  tests::TemporaryFolder folder_;
};

#ifdef SMS_CHAOS_POSTGRES
class Postgres final : public ChaoticStore {
 public:
  std::string url() const override {
    auto through_proxy = direct_url();
    const auto port = std::to_string(server_.port());
    return through_proxy.replace(through_proxy.find(port), port.size(), std::to_string(proxy_.port()));
  }
  std::string direct_url() const override { return server_.url(database_, true); }
  bool restart() override {
    server_.restart(tests::PostgresServer::Stop::immediate);
    return true;
  }
  void cut() override { proxy_.drop_next_reply(); }

 private:
  tests::PostgresServer server_;
  std::string database_ = server_.new_database();
  tests::CuttingProxy proxy_{static_cast<std::uint16_t>(server_.port())};
};
#endif

#ifdef SMS_CHAOS_REDIS
class Redis final : public ChaoticStore {
 public:
  std::string url() const override { return "redis://127.0.0.1:" + std::to_string(proxy_.port()); }
  std::string direct_url() const override { return server_.url(); }
  bool restart() override {
    server_.kill();
    server_.start();
    server_.wait_until_ready();
    return true;
  }
  void cut() override { proxy_.drop_next_reply(); }

 private:
  tests::RedisServer server_{{"--appendonly", "yes", "--appendfsync", "always"}};
  tests::CuttingProxy proxy_{server_.port()};
};
#endif

#ifdef SMS_CHAOS_DYNAMODB
class Dynamodb final : public ChaoticStore {
 public:
  Dynamodb() {
    const tests::DynamoStubOptions expected;
    setenv("AWS_ACCESS_KEY_ID", expected.access_key_id.c_str(), 1);
    setenv("AWS_SECRET_ACCESS_KEY", expected.secret_access_key.c_str(), 1);
    open_store(direct_url())->maintenance()->migrate();
  }
  std::string url() const override { return "dynamodb://keys?region=eu-west-1&endpoint=" + stub_.url(); }
  std::string direct_url() const override { return url(); }
  void cut() override {
    tests::DynamoFault lost;
    lost.kind = tests::DynamoFault::Kind::lose_answer;
    lost.action = "UpdateItem";
    stub_.add_fault(lost);
  }

 private:
  tests::DynamoStub stub_;
};
#endif

template <class Store>
std::unique_ptr<ChaoticStore> make() {
  return std::make_unique<Store>();
}

struct Kind {
  std::string_view name;
  std::unique_ptr<ChaoticStore> (*make)();
};

constexpr Kind kinds[] = {
    {"sqlite", make<SqliteFile>},
#ifdef SMS_CHAOS_POSTGRES
    {"postgres", make<Postgres>},
#endif
#ifdef SMS_CHAOS_REDIS
    {"redis", make<Redis>},
#endif
#ifdef SMS_CHAOS_DYNAMODB
    {"dynamodb", make<Dynamodb>},
#endif
};

}  // namespace

std::vector<std::string_view> chaotic_stores() {
  std::vector<std::string_view> names;
  for (const auto& kind : kinds) names.push_back(kind.name);
  return names;
}

std::unique_ptr<ChaoticStore> chaotic_store(std::string_view name) {
  for (const auto& kind : kinds) {
    if (kind.name == name) return kind.make();
  }
  throw std::runtime_error("this build has no chaos for the store " + std::string(name));
}

}  // namespace sms::chaos
