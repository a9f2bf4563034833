#pragma once

#include <sms/stores/dynamodb.hpp>

#include "servers/dynamo_stub.hpp"

#include <string>

namespace sms::tests {

/// A client of the stub, with the stub's first credentials. Generous: the machine may be busy.
inline DynamodbOptions stub_options(const DynamoStub& stub, std::string table = "keys") {
  DynamodbOptions options;
  options.table = std::move(table);
  options.region = "eu-west-1";
  options.endpoint = stub.url();
  options.operation_timeout = std::chrono::seconds(10);
  options.credentials = static_aws_credentials({"AKIDSTUB", "stub-secret", {}, {}});
  return options;
}

}  // namespace sms::tests
