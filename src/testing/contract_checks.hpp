#pragma once

#include <sms/testing/adapter_contract.hpp>

#include <string>
#include <vector>

/// The checks of the adapter contract; adapter_contract.cpp says what each is about.
namespace sms::testing::checks {

using Faults = std::vector<std::string>;

// Of requests.
Faults one_recipient(HttpAdapter&, const AdapterSamples&);
Faults needed_headers(HttpAdapter&, const AdapterSamples&);
Faults single_lines(HttpAdapter&, const AdapterSamples&);
Faults pure_build(HttpAdapter&, const AdapterSamples&);
Faults sends_once(HttpAdapter&, const AdapterSamples&);

// Of answers.
Faults accepts(HttpAdapter&, const AdapterSamples&);
Faults accepts_whole_answers(HttpAdapter&, const AdapterSamples&);
Faults accepts_usable_ids(HttpAdapter&, const AdapterSamples&);
Faults server_errors(HttpAdapter&, const AdapterSamples&);
Faults redirects(HttpAdapter&, const AdapterSamples&);
Faults late_client_errors(HttpAdapter&, const AdapterSamples&);
Faults bare_statuses(HttpAdapter&, const AdapterSamples&);
Faults bare_429(HttpAdapter&, const AdapterSamples&);
Faults evidence_first(HttpAdapter&, const AdapterSamples&);
Faults silent_details(HttpAdapter&, const AdapterSamples&);
Faults retry_after(HttpAdapter&, const AdapterSamples&);
Faults hostile_bodies(HttpAdapter&, const AdapterSamples&);

}  // namespace sms::testing::checks
