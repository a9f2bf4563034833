#include "report.hpp"

#include "core/json_text.hpp"

namespace sms::cli {

namespace {

struct OutcomeText {
  std::string operator()(const Attempt::Accepted&) const { return "accepted"; }
  std::string operator()(const Attempt::Rejected& rejected) const {
    std::string text = "rejected, " + std::string(to_string(rejected.category));
    if (rejected.http_status) text += ", HTTP " + std::to_string(*rejected.http_status);
    if (rejected.provider_code) text += ", code " + *rejected.provider_code;
    return text;
  }
  std::string operator()(const Attempt::Unknown& unknown) const {
    std::string text = "unknown, " + std::string(to_string(unknown.reason));
    if (unknown.http_status) text += ", HTTP " + std::to_string(*unknown.http_status);
    return text;
  }
};

void print_attempts(std::ostream& out, const std::vector<Attempt>& attempts) {
  for (const Attempt& attempt : attempts) out << "  attempt      " << attempt_text(attempt) << '\n';
}

/// `KEY` in the text replaced by the key, as a shell takes it.
std::string with_key(std::string_view text, const std::string& key) {
  constexpr std::string_view placeholder = "KEY";
  std::string quoted = "'";
  for (const char c : key) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  quoted += "'";
  std::string result(text);
  for (std::size_t at = result.find(placeholder); at != std::string::npos;
       at = result.find(placeholder, at + quoted.size())) {
    result.replace(at, placeholder.size(), quoted);
  }
  return result;
}

}  // namespace

std::string attempt_text(const Attempt& attempt) {
  return attempt.provider + " #" + std::to_string(attempt.attempt) + ": " + std::visit(OutcomeText{}, attempt.outcome) +
         ", " + std::to_string(attempt.duration.count()) + "ms";
}

void report_error(Console& console, const Error& error, bool json, const std::optional<std::string>& key) {
  if (json) {
    console.out << "{\"error\":" << error.to_json() << "}\n";
    return;
  }
  const Advice advice = advice_for(error);
  console.err << "sms-sdk: " << error.name() << ": " << error.what() << '\n';
  print_attempts(console.err, error.attempts());
  console.err << "  send again?  " << advice.again << "\n  next         "
              << (key ? with_key(advice.next, *key) : std::string(advice.next)) << '\n';
}

void report_usage_error(Console& console, std::string_view message, bool json) {
  if (!json) {
    console.err << "sms-sdk: " << message << '\n';
    return;
  }
  std::string text;
  detail::JsonWriter writer(text);
  writer.begin_object().key("error").begin_object();
  writer.key("name").string("UsageError").key("code").string("usage").key("message").string(message);
  writer.key("retrySafe").boolean(true).key("attempts").begin_array().end_array();
  writer.end_object().end_object();
  console.out << text << '\n';
}

void report_result(Console& console, const SendResult& result, bool json) {
  if (json) {
    console.out << result.to_json() << '\n';
    return;
  }
  console.out << (result.replayed ? "Accepted earlier; nothing was sent now.\n" : "Accepted.\n") << "  provider     "
              << result.provider << "\n  provider ID  " << result.provider_id << "\n  ID           " << result.id
              << "\n  delivery     " << to_string(result.delivery) << "\n  segments     " << result.segments << " ("
              << to_string(result.encoding) << ")\n";
  print_attempts(console.out, result.attempts);
}

}  // namespace sms::cli
