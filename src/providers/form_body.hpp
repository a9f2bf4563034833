#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace sms::detail {

/// An `application/x-www-form-urlencoded` body as browsers write it (WHATWG URL): fields in the order of the calls.
class FormBody {
 public:
  FormBody& add(std::string_view name, std::string_view value);
  std::string take() && { return std::move(text_); }

 private:
  void append(std::string_view text);
  std::string text_;
};

}  // namespace sms::detail
