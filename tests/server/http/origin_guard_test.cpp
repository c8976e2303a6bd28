#include "server/http/origin_guard.h"

#include <gtest/gtest.h>

namespace server {
namespace {

struct Case {
  std::string host;
  std::optional<std::string> origin;
  bool allowed;
};

void expect_all(const OriginGuard& guard, const std::vector<Case>& cases) {
  for (const auto& [host, origin, allowed] : cases) {
    const auto checked = guard.check(host, origin);
    EXPECT_EQ(checked.has_value(), allowed) << host << " from " << origin.value_or("no page");
    if (!checked) {
      EXPECT_EQ(checked.error().code, "forbidden");
    }
  }
}

const auto no_page = std::nullopt;

TEST(OriginGuard, TakesRequestsToThisMachineByItsOwnNames) {
  expect_all(OriginGuard({}), {
                                  {"localhost", no_page, true},
                                  {"localhost:8080", no_page, true},
                                  {"LocalHost:8080", no_page, true},
                                  {"localhost.:8080", no_page, true},
                                  {"127.0.0.1", no_page, true},
                                  {"127.0.0.1:65535", no_page, true},
                                  {"[::1]", no_page, true},
                                  {"[::1]:8080", no_page, true},
                                  {"[0:0:0:0:0:0:0:1]:8080", no_page, true},
                                  {"", no_page, false},
                                  {":8080", no_page, false},
                                  {"evil.example", no_page, false},
                                  {"evil.example:8080", no_page, false},
                                  {"localhost.evil.example", no_page, false},
                                  {"evil-localhost", no_page, false},
                                  {"127.0.0.1.evil.example", no_page, false},
                                  {"127.0.0.1.nip.io", no_page, false},
                                  {"127.0.0.2", no_page, false},
                                  {"0.0.0.0:8080", no_page, false},
                                  {"192.168.1.5:8080", no_page, false},
                                  {"2130706433", no_page, false},
                                  {"0x7f.1", no_page, false},
                                  {"::1", no_page, false},
                                  {"[::1", no_page, false},
                                  {"[::1]x:80", no_page, false},
                                  {"[::ffff:127.0.0.1]", no_page, false},
                                  {"[::1%lo]", no_page, false},
                                  {"[localhost]", no_page, false},
                                  {"localhost:", no_page, false},
                                  {"localhost:80x", no_page, false},
                                  {"localhost:123456", no_page, false},
                                  {"localhost:80:80", no_page, false},
                                  {"localhost, evil.example", no_page, false},
                                  {"user@localhost", no_page, false},
                                  {"localhost/evil", no_page, false},
                                  {"localhost evil", no_page, false},
                                  {std::string("localhost\0.evil", 15), no_page, false},
                                  {"..", no_page, false},
                              });
}

TEST(OriginGuard, TakesPagesOfThisMachineOnly) {
  expect_all(OriginGuard({}), {
                                  {"localhost:8080", "http://localhost:8080", true},
                                  {"localhost:8080", "http://localhost:3000", true},
                                  {"localhost:8080", "https://127.0.0.1", true},
                                  {"127.0.0.1:8080", "http://[::1]:8080", true},
                                  {"localhost:8080", "http://LOCALHOST:8080", true},
                                  {"localhost:8080", "null", false},
                                  {"localhost:8080", "", false},
                                  {"localhost:8080", "file://", false},
                                  {"localhost:8080", "chrome-extension://abcdefgh", false},
                                  {"localhost:8080", "ftp://localhost", false},
                                  {"localhost:8080", "ws://localhost", false},
                                  {"localhost:8080", "localhost", false},
                                  {"localhost:8080", "http://", false},
                                  {"localhost:8080", "http://evil.example", false},
                                  {"localhost:8080", "http://localhost.evil.example", false},
                                  {"localhost:8080", "http://localhost@evil.example", false},
                                  {"localhost:8080", "http://evil.example/localhost", false},
                                  {"localhost:8080", "http://evil.example:80#localhost", false},
                                  {"localhost:8080", "http://localhost http://evil.example", false},
                                  {"localhost:8080", "http://10.0.0.7", false},
                                  {"evil.example", "http://localhost", false},
                                  {"evil.example", "http://evil.example", false},
                              });
}

TEST(OriginGuard, TakesWhatIsConfigured) {
  const OriginGuard guard({.allowed_hosts = {"Scribed.lan", "voice.example:8443"},
                           .allowed_origins = {"https://app.example", "https://b.example:444"}});
  expect_all(guard, {
                        {"scribed.lan:8080", no_page, true},
                        {"voice.example", no_page, true},
                        {"other.lan", no_page, false},
                        {"x.scribed.lan", no_page, false},
                        {"scribed.lan", "http://scribed.lan", true},
                        {"localhost", "http://scribed.lan", true},
                        {"localhost", "https://app.example", true},
                        {"localhost", "https://APP.example", true},
                        {"localhost", "http://app.example", false},
                        {"localhost", "https://app.example:444", false},
                        {"localhost", "https://b.example:444", true},
                        {"localhost", "https://b.example", false},
                        {"app.example", no_page, false},
                    });
}

TEST(OriginGuard, TakesAnyAddressAsHostBeyondLoopbackButNoName) {
  const OriginGuard guard({.is_public = true});
  expect_all(guard, {
                        {"192.168.1.5:8080", no_page, true},
                        {"[fd00::5]:8080", no_page, true},
                        {"evil.example", no_page, false},
                        {"192.168.1.5.nip.io", no_page, false},
                        {"192.168.1.5:8080", "http://192.168.1.5:8080", true},
                        {"192.168.1.5:8080", "http://6.6.6.6", false},
                        {"[fd00::5]", "http://[fd00:0::5]", true},
                        {"[fd00::5]", "http://[fd00::6]", false},
                        {"192.168.1.5", "null", false},
                    });
}

TEST(OriginGuard, TakesOneHostAndOneOriginOfARequest) {
  const OriginGuard guard({});
  boost::beast::http::fields headers;
  EXPECT_FALSE(guard.check(headers));
  headers.insert("Host", "localhost");
  EXPECT_TRUE(guard.check(headers));
  headers.insert("Origin", "http://localhost");
  EXPECT_TRUE(guard.check(headers));
  headers.insert("Origin", "http://localhost");
  EXPECT_FALSE(guard.check(headers));
}

TEST(OriginGuard, TakesAnyNameWhereKeysAreAskedForAndNoneIsConfigured) {
  expect_all(OriginGuard({.has_keys = true}), {
                                                  {"scribed.lan:8080", no_page, true},
                                                  {"192.168.1.5", no_page, true},
                                                  {"voice.example", "https://voice.example", true},
                                                  {"voice.example", "https://evil.example", true},
                                                  {"voice.example", "app://obsidian.md", true},
                                                  {"voice.example", "null", true},
                                                  {"", no_page, true},
                                                  {"localhost/evil", no_page, false},
                                              });
  expect_all(OriginGuard({.allowed_hosts = {"scribed.lan"}, .has_keys = true}),
             {{"scribed.lan", no_page, true}, {"", no_page, true}, {"other.lan", no_page, false}});
}

TEST(OriginGuard, TakesProgramsThatAreWebViews) {
  const OriginGuard guard(
      {.allowed_origins = {"app://obsidian.md", "capacitor://localhost", "vscode-webview://*",
                           "chrome-extension://abcd", "file://"}});
  expect_all(guard, {
                        {"localhost", "app://obsidian.md", true},
                        {"localhost", "app://other.md", false},
                        {"localhost", "app://obsidian.md:80", false},
                        {"localhost", "apps://obsidian.md", false},
                        {"localhost", "capacitor://localhost", true},
                        {"localhost", "http://obsidian.md", false},
                        {"localhost", "vscode-webview://0a1b2c", true},
                        {"localhost", "vscode-webview://", true},
                        {"localhost", "vscode-webview:", false},
                        {"localhost", "chrome-extension://abcd", true},
                        {"localhost", "chrome-extension://abcde", false},
                        {"localhost", "moz-extension://abcd", false},
                        {"localhost", "file://", true},
                        {"localhost", "null", false},
                        {"localhost", "", false},
                    });
  expect_all(OriginGuard({.allowed_origins = {"null"}}), {{"localhost", "null", true},
                                                          {"localhost", "https://x.example", false},
                                                          {"localhost", "app://null", false}});
}

TEST(OriginGuard, KnowsWhatAnOriginIs) {
  for (const char* origin :
       {"https://app.example", "http://localhost:3000", "http://[::1]:80", "app://obsidian.md",
        "capacitor://localhost", "tauri://localhost", "vscode-webview://*", "moz-extension://0a-1b",
        "file://", "null", "App://Obsidian.md", "https://*"}) {
    EXPECT_TRUE(is_origin(origin)) << origin;
  }
  for (const char* text : {"", "*", "obsidian.md", "app:obsidian.md", "app://a/b", "app://a b",
                           "app://*.md", "https://", "https://*.example.org", "https://a/b",
                           "https://ada@a", "1app://a", "://a", "app://a\"b", "Null"}) {
    EXPECT_FALSE(is_origin(text)) << text;
  }
  for (const char* any : {"*", "https://*", "http://*", "HTTP://*"}) {
    EXPECT_TRUE(is_any_page(any)) << any;
  }
  for (const char* some : {"vscode-webview://*", "https://app.example", "null", ""}) {
    EXPECT_FALSE(is_any_page(some)) << some;
  }
}

TEST(OriginGuard, KnowsAnOriginWithThePortThatItsSchemeHasAnyway) {
  const OriginGuard guard({.allowed_origins = {"https://App.example:443", "http://b.example:80",
                                               "http://c.example:443"}});
  expect_all(guard, {
                        {"localhost", "https://app.example", true},
                        {"localhost", "http://b.example", true},
                        {"localhost", "http://c.example:443", true},
                        {"localhost", "http://c.example", false},
                        {"localhost", "http://app.example:443", false},
                    });
}

TEST(OriginGuard, NamesWhatItRefusesAndTheSettingThatWouldAllowIt) {
  const OriginGuard guard({});
  const auto host = guard.check("Voice.Example:8080", std::nullopt).error();
  EXPECT_NE(host.message.find("\"Voice.Example:8080\""), std::string::npos) << host.message;
  EXPECT_NE(host.fix.find("add \"voice.example\" to server.allowed_hosts"), std::string::npos)
      << host.fix;
  const auto origin = guard.check("localhost", "https://app.example:444").error();
  EXPECT_NE(origin.message.find("\"https://app.example:444\""), std::string::npos);
  EXPECT_NE(origin.fix.find("add \"https://app.example:444\" to server.allowed_origins"),
            std::string::npos)
      << origin.fix;
  const auto app = guard.check("localhost", "app://obsidian.md").error();
  EXPECT_NE(app.fix.find("add \"app://obsidian.md\" to server.allowed_origins"), std::string::npos)
      << app.fix;
  const auto file = guard.check("localhost", "null").error();
  EXPECT_NE(file.fix.find("set server.key_file, or add \"null\""), std::string::npos) << file.fix;
  const auto none = guard.check("localhost", "x y").error();
  EXPECT_EQ(none.fix.find("allowed_origins"), std::string::npos) << "it cannot be listed";
  EXPECT_LT(guard.check(std::string(10'000, 'a'), std::nullopt).error().message.size(), 400U);
}

}  // namespace
}  // namespace server
