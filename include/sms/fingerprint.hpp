#pragma once

#include <sms/adapter.hpp>
#include <sms/message.hpp>

#include <memory>
#include <span>
#include <string>

namespace sms {

/// The text whose SHA-256 is the fingerprint: what makes two sends "the same message". Byte for byte what the
/// TypeScript SDK of the same contract makes of it. Holds the body and the number: never log it.
std::string canonical_text(const SendInput& input, std::span<const std::shared_ptr<Adapter>> adapters);

/// Lower-case hex SHA-256 of `canonical_text`. It can be guessed back from a number and a short code: treat it as
/// personal data.
///
/// Options of adapters that the client does not have do not count; so adding an adapter changes the fingerprint of a
/// message that has options for it.
std::string fingerprint(const SendInput& input, std::span<const std::shared_ptr<Adapter>> adapters);

}  // namespace sms
