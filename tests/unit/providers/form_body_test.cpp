#include "providers/form_body.hpp"

#include <gtest/gtest.h>

namespace sms::detail {
namespace {

TEST(FormBody, keeps_the_order_and_repeats_names) {
  FormBody form;
  form.add("b", "1").add("a", "2").add("b", "");
  EXPECT_EQ(std::move(form).take(), "b=1&a=2&b=");
}

TEST(FormBody, encodes_what_browsers_encode) {
  FormBody form;
  form.add("k é", "a b+c&d=e%f~*-_.!'()\n\xF0\x9F\x98\x80");
  EXPECT_EQ(std::move(form).take(), "k+%C3%A9=a+b%2Bc%26d%3De%25f%7E*-_.%21%27%28%29%0A%F0%9F%98%80");
}

TEST(FormBody, is_empty_without_fields) { EXPECT_EQ(FormBody().take(), ""); }

}  // namespace
}  // namespace sms::detail
