#include "servers/dynamo_stub.hpp"

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

/// dynamo_stub [--durable no] [--says-item no] [--region REGION] [--key ID] [--secret SECRET] [--faults JSON]
///
/// Prints its URL, then serves until its standard input ends.
int main(int count, char** values) {
  using namespace sms::tests;
  DynamoStubOptions options;
  std::string faults;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = values[i];
    const std::string value = values[i + 1];
    if (name == "--durable") {
      options.durable = value != "no";
    } else if (name == "--says-item") {
      options.says_item = value != "no";
    } else if (name == "--region") {
      options.region = value;
    } else if (name == "--key") {
      options.access_key_id = value;
    } else if (name == "--secret") {
      options.secret_access_key = value;
    } else if (name == "--faults") {
      faults = value;
    } else {
      std::cerr << "dynamo_stub: no such option: " << name << "\n";
      return EXIT_FAILURE;
    }
  }
  DynamoStub stub(options);
  if (!faults.empty()) stub.read_faults(faults);
  std::cout << stub.url() << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
  return EXIT_SUCCESS;
}
