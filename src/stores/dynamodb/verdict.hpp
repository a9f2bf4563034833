#pragma once

#include <sms/transport.hpp>

#include "stores/dynamodb/api.hpp"

#include <string>

namespace sms::detail {

/// What an exchange with DynamoDB means.
struct Verdict {
  enum class Kind {
    done,
    again,              ///< Throttled, failed on its side, or nobody knows.
    wrong_time,         ///< The signature's time was not right, or may not have been.
    wrong_credentials,  ///< They may have ended, or been replaced.
    refused
  };
  Kind kind = Kind::again;
  DynamoAnswer answer = {};
  std::string reason = {};  ///< DynamoDB's word for it, or what is wrong with the connection.
};

Verdict verdict_on(const HttpExchange& exchange);

}  // namespace sms::detail
