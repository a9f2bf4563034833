#pragma once

#include "simulator/ledger.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace sms::simulator {

/// The Message resource.
boost::json::object twilio_message(const Message& message);

/// One page of the messages of an account, newest first, by the filters of the query: To, From, DateSent, `DateSent<`,
/// `DateSent>`, PageSize, Page.
boost::json::object twilio_list(const std::string& path, const Form& query, const std::string& account,
                                const Ledger& ledger);

}  // namespace sms::simulator
