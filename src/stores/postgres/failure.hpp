#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace sms::detail {

/// What PostgreSQL, or the way to it, answered instead of a result. The text is fit for errors of the store.
class PgFailure : public std::exception {
 public:
  explicit PgFailure(std::string text, std::string state = {}) : text_(std::move(text)), state_(std::move(state)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const std::string& state() const noexcept { return state_; }

 private:
  std::string text_;
  std::string state_;
};

/// The server was reached and is not one that this store may use: asking again soon is of no use.
class PgRefusal : public PgFailure {
 public:
  using PgFailure::PgFailure;
};

/// What a failed statement means for what was in it.
enum class PgFault {
  locked,      ///< Some row is held by another session.
  conflict,    ///< Rolled back because of others: at once again.
  poisoned,    ///< Something in it cannot be stored.
  connection,  ///< The connection, or the server behind it, is not fit any more.
  server       ///< The server cannot do it now: rolled back.
};
PgFault fault_of(std::string_view sqlstate);

}  // namespace sms::detail
