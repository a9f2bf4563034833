// The program of README.md. Sends through Twilio; a second run with the same key sends nothing.

// [readme]
#include <sms/sms.hpp>

#include <cstdlib>
#include <iostream>

int main() {
  sms::TwilioOptions twilio;
  twilio.account_sid = std::getenv("TWILIO_ACCOUNT_SID");
  twilio.auth_token = sms::Secret(std::getenv("TWILIO_AUTH_TOKEN"));
  twilio.from = sms::From{std::getenv("TWILIO_FROM")};
  if (const char* url = std::getenv("TWILIO_BASE_URL")) twilio.base_url = url;  // The simulator, for example.

  sms::IdempotencyOptions idempotency;
  idempotency.store = sms::open_store("sqlite:keys.db");

  sms::ClientOptions options;
  options.adapters = {sms::twilio(twilio)};
  options.idempotency = idempotency;
  sms::Client client(options);

  sms::SendInput message;
  message.to = "+14155550123";
  message.body = "Order 123 has shipped.";
  message.idempotency_key = "order:123:shipped:v1";  // Names the message, not the attempt.

  try {
    const sms::SendResult result = client.send(message);
    std::cout << result.provider_id << (result.replayed ? " (sent earlier)\n" : " (sent now)\n");
  } catch (const sms::HandoffUnknownError& error) {
    std::cerr << "Do not resend: " << error.what() << '\n';  // sms-sdk keys list
    return 1;
  } catch (const sms::Error& error) {
    std::cerr << error.what() << (error.retry_safe() ? " (run me again)\n" : "\n");
    return 1;
  }
}
// [readme]
