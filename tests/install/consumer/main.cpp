#include <sms/sms.hpp>
#include <sms/testing/memory_adapter.hpp>

#include <iostream>

int main() {
  sms::ClientOptions options;
  options.adapters = {sms::testing::memory()};
  sms::IdempotencyOptions idempotency;
  idempotency.store = sms::memory_idempotency_store();
  options.idempotency = idempotency;
  sms::Client client(options);
  sms::SendInput message;
  message.to = "+14155550123";
  message.body = "Hello";
  message.idempotency_key = "hello";
  client.send(message);
  std::cout << (client.send(message).replayed ? "replayed" : "sent twice") << '\n';
}
