#include "server/client/server_address.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string read(const char* text) {
  const auto address = parse_server_address(text);
  return address ? address->text() : address.error().code;
}

TEST(ServerAddress, IsAUrlAHostWithAPortOrASocket) {
  EXPECT_EQ(read("http://voice.example"), "http://voice.example");
  EXPECT_EQ(read("https://voice.example/stt/"), "https://voice.example/stt");
  EXPECT_EQ(read("voice.lan:8080"), "http://voice.lan:8080");
  EXPECT_EQ(read("[::1]:8080"), "http://[::1]:8080");
  EXPECT_EQ(read(":8080"), "http://127.0.0.1:8080");
  EXPECT_EQ(read("unix:/run/scribed/scribed.sock"), "unix:/run/scribed/scribed.sock");
}

TEST(ServerAddress, RefusesWhatCannotBeOne) {
  for (const char* text : {"", "voice.lan", "voice.lan:", "voice.lan:99999", "voice.lan:80x",
                           "ftp://voice.example", "http://", "http:///path", "http://a b",
                           "http://user@voice.example", "http://a?b", "unix:", "unix:run/socket"}) {
    EXPECT_EQ(read(text), errc::usage) << text;
  }
}

TEST(ServerAddress, AListenerOnEveryAddressIsReachedByLoopback) {
  EXPECT_EQ(address_of_listener("0.0.0.0:8080")->url, "http://127.0.0.1:8080");
  EXPECT_EQ(address_of_listener("[::]:8080")->url, "http://[::1]:8080");
  EXPECT_EQ(address_of_listener("192.0.2.1:80")->url, "http://192.0.2.1:80");
  EXPECT_EQ(address_of_listener("unix:/a")->socket, "/a");
  EXPECT_EQ(address_of_listener("nowhere").error().code, errc::usage);
}

TEST(ServerAddress, KnowsWhatIsOnThisMachine) {
  EXPECT_TRUE(parse_server_address("unix:/a")->is_local());
  EXPECT_TRUE(parse_server_address("http://127.0.0.1:1/x")->is_local());
  EXPECT_TRUE(parse_server_address("localhost:8080")->is_local());
  EXPECT_TRUE(parse_server_address("http://[::1]:1")->is_local());
  for (const char* host :
       {"LOCALHOST", "localhost.", "api.localhost", "127.1", "2130706433", "0x7f000001", "0",
        "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]"}) {
    EXPECT_TRUE(parse_server_address("http://" + std::string(host) + ":80/x")->is_local()) << host;
  }
  for (const char* host : {"127.0.0.1.example", "128.0.0.1", "[::2]", "[::ffff:10.0.0.1]"}) {
    EXPECT_FALSE(parse_server_address("http://" + std::string(host))->is_local()) << host;
  }
  EXPECT_FALSE(parse_server_address("http://localhost.example")->is_local());
  EXPECT_FALSE(parse_server_address("https://voice.example/127.0.0.1")->is_local());
}

}  // namespace
}  // namespace server
