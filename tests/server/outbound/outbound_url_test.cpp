#include "server/outbound/outbound_url.h"

#include <gtest/gtest.h>

namespace server {
namespace {

const OutboundRules rules{.hosts = {"a.org", "*.b.org"}, .own_hosts = {"hooks.lan", "10.0.0.5"}};

std::string code(const std::string& url, const OutboundRules& which = rules) {
  const auto read = read_url(url, which);
  return read ? "" : read.error().code;
}

TEST(OutboundUrl, TakesAllowedHostsByHttps) {
  for (const char* url : {"https://a.org/x.mp3", "HTTPS://A.ORG/x", "https://a.org.:8443/x?y=z",
                          "https://www.b.org", "https://x.y.b.org/#part"}) {
    EXPECT_EQ(code(url), "") << url;
  }
}

TEST(OutboundUrl, RefusesEveryOtherHost) {
  for (const char* url :
       {"https://b.org/", "https://xb.org/", "https://a.org.evil.net/", "https://evil.net/a.org",
        "https://evil.net#a.org", "https://evil.net?.b.org", "https://127.0.0.1/", "https://[::1]/",
        "https://localhost/"}) {
    EXPECT_EQ(code(url), errc::url_refused) << url;
  }
}

TEST(OutboundUrl, RefusesOtherSchemesAndLogins) {
  for (const char* url :
       {"http://a.org/", "file:///etc/passwd", "ftp://a.org/x", "gopher://a.org/", "scp://a.org/x",
        "dict://a.org/", "https:a", "a.org", "", "https://", "https:///x", "https://u:p@a.org/",
        "https://u@a.org/", "https://:p@a.org/", "data:audio/wav;base64,AAAA"}) {
    EXPECT_EQ(code(url), errc::url_refused) << url;
  }
}

TEST(OutboundUrl, RefusesCharactersThatParsersDisagreeAbout) {
  for (const std::string& url :
       {std::string("https://a.org/a b"), std::string("https://a.org/\r\nX: y"),
        std::string("https://a.org\0.evil.net/", 22), std::string("https://ä.org/"),
        std::string("https://a.org/\x7F"), "https://a.org/" + std::string(5000, 'x')}) {
    EXPECT_EQ(code(url), errc::url_refused) << url;
  }
}

TEST(OutboundUrl, WritesNumericSpellingsAsOneAddress) {
  const OutboundRules all{.hosts = {"*"}};
  for (const char* url : {"https://134744072/", "https://0x08080808/", "https://010.8.8.8/",
                          "https://8.526344/", "https://0x8.8.8.8/"}) {
    const auto read = read_url(url, all);
    ASSERT_TRUE(read) << url;
    EXPECT_EQ(read->host, "8.8.8.8") << url;
    EXPECT_FALSE(read->is_own);
  }
}

TEST(OutboundUrl, RefusesAddressesThatAreNotPublic) {
  const OutboundRules all{.hosts = {"*"}, .own_hosts = {"10.0.0.5"}};
  for (const char* url : {"https://127.0.0.1/",
                          "https://127.0.0.1:8443/x",
                          "https://0/",
                          "https://0.0.0.0/",
                          "https://2130706433/",
                          "https://0x7f000001/",
                          "https://0177.0.0.1/",
                          "https://0177.1/",
                          "https://127.1/",
                          "https://0x7f.1/",
                          "https://127.0.0.1./",
                          "https://0x7f000001./",
                          "https://169.254.169.254/latest/meta-data",
                          "https://10.0.0.1/",
                          "https://192.168.1.1/",
                          "https://100.64.0.1/",
                          "https://[::1]/",
                          "https://[::]/",
                          "https://[::ffff:127.0.0.1]/",
                          "https://[::ffff:7f00:1]/",
                          "https://[64:ff9b::7f00:1]/",
                          "https://[fe80::1]/",
                          "https://[fe80::1%25lo]/",
                          "https://[fd00::1]/"}) {
    EXPECT_EQ(code(url, all), errc::url_refused) << url;
  }
  for (const char* url : {"https://8.8.8.8/", "https://[2a00:1450:4001::1]/", "https://10.0.0.5/",
                          "https://127.0.0.1.example.org/", "https://localhost/"}) {
    EXPECT_EQ(code(url, all), "") << url;
  }
}

TEST(OutboundUrl, OwnHostsMayBeAskedWithoutTls) {
  const auto plain = read_url("http://hooks.lan:9000/x", rules);
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->is_own);
  EXPECT_TRUE(read_url("https://10.0.0.5/", rules)->is_own);
  EXPECT_FALSE(read_url("https://a.org/", rules)->is_own);
  EXPECT_EQ(code("http://other.lan/"), errc::url_refused);
}

TEST(OutboundUrl, NameIsTheLastPartOfThePath) {
  EXPECT_EQ(read_url("https://a.org/x/my%20talk.mp3?t=1", rules)->name, "my talk.mp3");
  EXPECT_EQ(read_url("https://a.org/x/", rules)->name, "");
  EXPECT_EQ(read_url("https://a.org/..%2F..%2Fpasswd", rules)->name, "passwd");
  EXPECT_EQ(read_url("https://a.org/a%0Ab", rules)->name, "") << "a line end is in no name";
  EXPECT_EQ(read_url("https://a.org/" + std::string(300, 'a'), rules)->name.size(), 200U);
}

}  // namespace
}  // namespace server
