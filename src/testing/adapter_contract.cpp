#include <sms/testing/adapter_contract.hpp>

#include "testing/contract_checks.hpp"

#include <array>

namespace sms::testing {

std::span<const ContractCheck> adapter_contract() {
  using namespace checks;
  static constexpr std::array all = {
      ContractCheck{"one_recipient", "A request names its recipient once", one_recipient},
      ContractCheck{"needed_headers", "A request has Content-Type, Accept and User-Agent", needed_headers},
      ContractCheck{"single_lines", "Nothing in a message can break a header or the URL", single_lines},
      ContractCheck{"pure_build", "The same message makes the same URL and body", pure_build},
      ContractCheck{"sends_once", "A send makes one exchange, behind its gate, and answers once", sends_once},
      ContractCheck{"accepts", "A success with its ID is accepted", accepts},
      ContractCheck{"accepts_whole_answers", "No part of a success is accepted or rejected", accepts_whole_answers},
      ContractCheck{"accepts_usable_ids", "An ID that is empty, too long or not printable is not accepted",
                    accepts_usable_ids},
      ContractCheck{"server_errors", "A 5xx proves nothing, whatever its body says", server_errors},
      ContractCheck{"redirects", "A 1xx or 3xx proves nothing, whatever its body says", redirects},
      ContractCheck{"late_client_errors", "A 408, 409, 425 or 499 proves nothing", late_client_errors},
      ContractCheck{"bare_statuses", "A rejection without the provider's body rests on the status alone",
                    bare_statuses},
      ContractCheck{"bare_429", "A 429 without the provider's body proves nothing", bare_429},
      ContractCheck{"evidence_first", "Without a whole answer, the transport's evidence decides", evidence_first},
      ContractCheck{"silent_details", "Details hold neither the message's code nor its number", silent_details},
      ContractCheck{"retry_after", "Only a rate limit carries Retry-After", retry_after},
      ContractCheck{"hostile_bodies", "A hostile body neither throws nor is accepted", hostile_bodies},
  };
  return all;
}

}  // namespace sms::testing
