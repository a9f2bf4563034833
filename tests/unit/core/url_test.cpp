#include <sms/adapter_kit.hpp>

#include <gtest/gtest.h>

namespace {

using sms::base_url_fault;
using sms::is_http_url;

TEST(HttpUrl, IsWhatABrowserTakes) {
  for (const char* url : {"https://m.example/1.png",
                          "HTTP://M.EXAMPLE",
                          "https:m.example",
                          "https:/\\m.example",
                          "  https://m.example  ",
                          "https://m.exa\tmple/",
                          "https://u:p@m.example/",
                          "https://u@@m.example/",
                          "https://m.example:/",
                          "https://m.example:443?x",
                          "http://[::1]:8080/",
                          "http://[::ffff:1.2.3.4]/",
                          "http://127.1/",
                          "http://0x7f.1/",
                          "http://4294967295/",
                          "http://1.2.3.4./",
                          "https://b\u00fccher.example/",
                          "https://a%62c.example/",
                          "https://a..b/",
                          "https://a_b.example/",
                          "http://0x/"}) {
    EXPECT_TRUE(is_http_url(url)) << url;
  }
}

TEST(HttpUrl, IsNothingElse) {
  for (const char* url : {"",
                          "nope",
                          "/a.png",
                          "//m.example",
                          "ftp://m.example/",
                          "javascript:alert(1)",
                          "https",
                          "https:",
                          "https://",
                          "https://?x",
                          "https://u@/",
                          "https://m.example:99999/",
                          "https://m.example:8x/",
                          "https://m example/",
                          "https://m%20x.example/",
                          "https://m%00x/",
                          "https://a<b/",
                          "http://[::1/",
                          "http://[::1]x/",
                          "http://[1:2]/",
                          "http://256.256.256.256/",
                          "http://1.2.3.4.5/",
                          "http://foo.0x1g.5/",
                          "http://4294967296/",
                          "http://1.2.3.256/",
                          "http://09/",
                          "https://%ff/"}) {
    EXPECT_FALSE(is_http_url(url)) << url;
  }
  EXPECT_FALSE(is_http_url(std::string_view("http://[::1\0]/", 13)));
}

TEST(BaseUrl, IsHttpsUnlessItLeadsToThisMachine) {
  EXPECT_EQ(base_url_fault("https://api.twilio.com", false), std::nullopt);
  EXPECT_EQ(base_url_fault("https://proxy.example:8443/twilio", false), std::nullopt);
  for (const char* url : {"http://127.0.0.1:8080", "http://127.9.9.9/", "http://[::1]:1", "http://localhost:9/x",
                          "http://api.localhost"}) {
    EXPECT_EQ(base_url_fault(url, false), std::nullopt) << url;
  }
  for (const char* url : {"http://api.twilio.com", "http://localhost.example", "http://128.0.0.1", "http://[::2]",
                          "http://127.0.0.1.example"}) {
    EXPECT_NE(base_url_fault(url, false), std::nullopt) << url;
    EXPECT_EQ(base_url_fault(url, true), std::nullopt) << url;
  }
}

TEST(BaseUrl, HasNeitherCredentialsNorQueryNorFragmentAndNeedsNoForgiveness) {
  for (const char* url : {"", "api.twilio.com", "https://u:p@h.example", "https://h.example?x", "https://h.example/#x",
                          " https://h.example", "https://h.exa\nmple", "https:\\\\h.example", "https://h.example/\x7f",
                          "https://h.example/ä"}) {
    EXPECT_NE(base_url_fault(url, true), std::nullopt) << url;
  }
}

}  // namespace
