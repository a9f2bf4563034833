#include "stores/redis/redis_fixture.hpp"
#include "support/child_process.hpp"

namespace sms::tests {
namespace {

using ::testing::AnyOf;
using ::testing::Not;
using ::testing::StartsWith;

TEST(RedisChecks, refuse_a_server_that_evicts_keys) {
  const RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  EXPECT_THAT(why_unavailable(open_redis(server.url())), HasSubstr("allkeys-lru"));
  EXPECT_THAT(finding(open_redis(server.url()), "eviction"), StartsWith("problem: "));
  const auto allowed = open_redis(server.url("?allow_eviction=true"));
  EXPECT_EQ(why_unavailable(allowed), "answered");
  EXPECT_THAT(finding(allowed, "eviction"), StartsWith("warning: "));
}

TEST(RedisChecks, take_a_memory_limit_without_eviction) {
  const RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "noeviction"});
  EXPECT_EQ(why_unavailable(open_redis(server.url())), "answered");
}

TEST(RedisChecks, answer_a_full_server_with_an_error_and_write_nothing) {
  const RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_EQ(why_unavailable(store, "before"), "answered");
  server.ask({"CONFIG", "SET", "maxmemory", "1"});
  EXPECT_THAT(why_unavailable(store, "full"), HasSubstr("OOM"));
  server.ask({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_TRUE(probe(store).claims("full", owner_2));
}

TEST(RedisChecks, refuse_a_replica_until_it_is_promoted) {
  const RedisServer primary;
  const RedisServer replica({"--replicaof", "127.0.0.1 " + std::to_string(primary.port())});
  replica.wait_for({"INFO", "replication"}, "master_link_status:up");
  const auto store = open_redis(replica.url("?operation_timeout=20000ms"));
  EXPECT_THAT(why_unavailable(store), HasSubstr("replica"));
  replica.ask({"REPLICAOF", "NO", "ONE"});
  wait_until([&] { return why_unavailable(store) == "answered"; });
}

TEST(RedisChecks, follow_a_server_that_becomes_a_replica_and_back) {
  const RedisServer other;
  const RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_EQ(why_unavailable(store, "before"), "answered");
  server.ask({"REPLICAOF", "127.0.0.1", std::to_string(other.port())});
  EXPECT_THAT(why_unavailable(store, "meanwhile"), HasSubstr("replica"));
  EXPECT_EQ(other.ask({"DBSIZE"}), "0");
}

TEST(RedisChecks, say_how_durable_the_server_is) {
  const RedisServer forgetful;
  EXPECT_THAT(finding(open_redis(forgetful.url()), "durability"), StartsWith("warning: appendonly is off"));
  EXPECT_THAT(finding(open_redis(forgetful.url("?allow_no_persistence=true")), "durability"), StartsWith("fine: "));
  const RedisServer relaxed({"--appendonly", "yes"});
  EXPECT_THAT(finding(open_redis(relaxed.url()), "durability"), StartsWith("warning: appendfsync is everysec"));
  const RedisServer durable({"--appendonly", "yes", "--appendfsync", "always", "--min-replicas-to-write", "1"});
  const auto store = open_redis(durable.url("?wait_replicas=1"));
  EXPECT_THAT(finding(store, "durability"), StartsWith("fine: "));
  EXPECT_THAT(finding(store, "failover"), StartsWith("fine: "));
  EXPECT_THAT(finding(open_redis(durable.url()), "failover"), StartsWith("warning: "));
}

TEST(RedisChecks, say_that_no_server_is_there) {
  EXPECT_THAT(finding(open_redis(url_of(free_port())), "server"), HasSubstr("cannot connect"));
}

TEST(RedisChecks, work_for_a_user_who_may_not_see_the_configuration) {
  const RedisServer server;
  server.ask({"ACL", "SETUSER", "app", "on", ">pass:word", "~*", "&*", "+@all", "-config"});
  server.ask({"ACL", "SETUSER", "default", "off"});
  EXPECT_THAT(why_unavailable(open_redis(server.url())), HasSubstr("NOAUTH"));
  const auto with = [&](const std::string& user) {
    return open_redis("redis://" + user + "@127.0.0.1:" + std::to_string(server.port()) + "/3");
  };
  const auto wrong = why_unavailable(with("app:hunter2"));
  EXPECT_THAT(wrong, HasSubstr("WRONGPASS"));
  EXPECT_THAT(wrong, Not(HasSubstr("hunter2")));
  const auto store = with("app:pass%3Aword");
  EXPECT_EQ(why_unavailable(store), "answered");
  EXPECT_THAT(finding(store, "failover"), HasSubstr("Not verified"));
}

TEST(RedisTls, verifies_the_certificate_and_the_name) {
  const TemporaryFolder folder;
  const auto make = [&](const std::string& command) {
    ChildProcess shell({"/bin/sh", "-c", "cd " + folder.path().string() + " && openssl " + command + " 2>/dev/null"});
    EXPECT_EQ(shell.wait(), 0) << command;
  };
  const std::string key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes ";
  make("req -x509 " + key + "-keyout ca.key -out ca.pem -subj /CN=ca -days 2");
  make("req -x509 " + key + "-keyout other.key -out other.pem -subj /CN=other -days 2");
  make("req " + key + "-keyout server.key -out server.req -subj /CN=server -addext subjectAltName=DNS:localhost");
  make("x509 -req -in server.req -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -out server.pem");
  const auto tls_port = std::to_string(free_port());
  const RedisServer server({"--tls-port", tls_port, "--tls-cert-file", folder.file("server.pem"), "--tls-key-file",
                            folder.file("server.key"), "--tls-ca-cert-file", folder.file("ca.pem"),
                            "--tls-auth-clients", "no", "--requirepass", "secret"});
  const auto on = [&](const std::string& host, const std::string& ca) {
    return open_redis("rediss://:secret@" + host + ":" + tls_port +
                      "?operation_timeout=3000ms&ca_file=" + folder.file(ca));
  };
  const auto store = on("localhost", "ca.pem");
  EXPECT_EQ(why_unavailable(store), "answered");
  EXPECT_EQ(store->identity().size(), 32U);
  auto big = probe(store);
  big.store_final("order:1", owner_1, accepted(std::string(200'000, 'x')));
  big.expect_record("order:1", accepted(std::string(200'000, 'x')), "a long record is another one over TLS");
  EXPECT_THAT(big.take_faults(), ::testing::IsEmpty());
  EXPECT_THAT(why_unavailable(on("localhost", "other.pem")), HasSubstr("certificate"));
  EXPECT_THAT(why_unavailable(on("127.0.0.1", "ca.pem")), HasSubstr("certificate"));
  EXPECT_THROW(on("localhost", "none.pem"), ConfigurationError);
}

std::string why_no_url(const std::string& url) {
  try {
    redis_options(url);
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "taken";
}

TEST(RedisUrl, is_read_in_all_its_parts) {
  const auto options = redis_options(
      "rediss://us%40er:pa%2Fss@[::1]:6380/5?prefix=a%26b:&wait_replicas=2&wait_timeout=300ms&ca_file=/c.pem&"
      "allow_eviction=true&operation_timeout=900ms");
  EXPECT_EQ(options.user, "us@er");
  EXPECT_EQ(options.password.reveal(), "pa/ss");
  EXPECT_EQ(options.host, "::1");
  EXPECT_EQ(options.port, 6380);
  EXPECT_EQ(options.database, 5);
  EXPECT_EQ(options.prefix, "a&b:");
  EXPECT_EQ(options.wait_replicas, 2);
  EXPECT_EQ(options.wait_timeout, 300ms);
  EXPECT_EQ(options.operation_timeout, 900ms);
  EXPECT_EQ(options.ca_file, "/c.pem");
  EXPECT_TRUE(options.tls);
  EXPECT_TRUE(options.allow.eviction);
  EXPECT_FALSE(options.allow.no_persistence);
  const auto plain = redis_options("redis://example.com");
  EXPECT_EQ(plain.port, 6379);
  EXPECT_FALSE(plain.tls);
}

TEST(RedisUrl, that_is_wrong_is_refused_with_the_rule_and_not_repeated) {
  for (const auto* url : {"redis:/host", "redis://", "redis://h:0", "redis://h:99999", "redis://h/x", "redis://h?x=1",
                          "redis://h?prefix=%7B", "redis://h?allow_eviction=yes", "redis://user@h", "redis://h?prefix",
                          "redis://h%2", "redis://h#f", "redis://h?ca_file=/x", "redis://h?wait_replicas=101",
                          "redis://[::1", "redis://h?wait_replicas=1&wait_timeout=5000ms"}) {
    const auto why = why_no_url(url);
    EXPECT_THAT(why, AnyOf(StartsWith("store url: redis: "), StartsWith("redis store: "))) << url;
    EXPECT_THAT(why, Not(HasSubstr(url))) << url;
  }
  EXPECT_THAT(why_no_url("redis://joe:hunter2@h:x"), Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace sms::tests
