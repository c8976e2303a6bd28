#include "server/http/client_address.h"

#include <gtest/gtest.h>

namespace server {
namespace {

namespace ip = boost::asio::ip;
namespace http = boost::beast::http;

TrustedProxies trusting(const std::vector<std::string>& ranges) {
  auto proxies = TrustedProxies::parse(ranges);
  EXPECT_TRUE(proxies) << (proxies ? "" : proxies.error().message);
  return proxies ? *std::move(proxies) : TrustedProxies{};
}

TEST(TrustedProxies, AreAddressesAndRanges) {
  struct Case {
    std::string range;
    std::string address;
    bool is_in;
  };
  const Case cases[] = {
      {"10.0.0.5", "10.0.0.5", true},
      {"10.0.0.5", "10.0.0.4", false},
      {"10.0.0.0/8", "10.255.255.255", true},
      {"10.0.0.0/8", "11.0.0.0", false},
      {"10.1.2.3/8", "10.9.9.9", true},
      {"192.168.4.0/22", "192.168.7.255", true},
      {"192.168.4.0/22", "192.168.8.0", false},
      {"192.168.4.0/22", "192.168.3.255", false},
      {"0.0.0.0/0", "203.0.113.1", true},
      {"0.0.0.0/0", "2001:db8::1", false},
      {"fd00::/8", "fdff::1", true},
      {"fd00::/8", "fe00::1", false},
      {"2001:db8::/33", "2001:db8:7fff::1", true},
      {"2001:db8::/33", "2001:db8:8000::1", false},
      {"::1", "::1", true},
      {"::1", "127.0.0.1", false},
      {"::ffff:10.0.0.5", "10.0.0.5", true},
      {"10.0.0.5", "::ffff:10.0.0.5", true},
      {"::/0", "10.0.0.5", true},
  };
  for (const auto& [range, address, is_in] : cases) {
    EXPECT_EQ(trusting({range}).contains(ip::make_address(address)), is_in)
        << address << " in " << range;
  }
}

TEST(TrustedProxies, RefuseWhatIsNoAddress) {
  for (const char* range :
       {"", "localhost", "proxy.lan", "10.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1",
        "10.0.0.0/8x", "10.0.0.0/8/8", "10.0.0.0 /8", "::/129", "[::1]", "fe80::1%eth0", "*"}) {
    const auto proxies = TrustedProxies::parse({range});
    ASSERT_FALSE(proxies) << range;
    EXPECT_EQ(proxies.error().code, errc::usage);
  }
}

std::string client(const std::vector<std::string>& trusted, const std::string& peer,
                   const std::vector<std::string>& forwarded) {
  boost::beast::http::fields headers;
  for (const auto& value : forwarded) headers.insert("X-Forwarded-For", value);
  headers.insert("Forwarded", "for=6.6.6.6");
  headers.insert("X-Real-IP", "6.6.6.6");
  return trusting(trusted).source_of({ip::make_address(peer)}, headers).peer;
}

TEST(TrustedProxies, AreBelievedAndNobodyElse) {
  EXPECT_EQ(client({}, "10.0.0.5", {"203.0.113.9"}), "10.0.0.5") << "nobody is trusted";
  EXPECT_EQ(client({"10.0.0.5"}, "10.0.0.6", {"203.0.113.9"}), "10.0.0.6") << "not this one";
  EXPECT_EQ(client({"10.0.0.5"}, "10.0.0.5", {"203.0.113.9"}), "203.0.113.9");
  EXPECT_EQ(client({"10.0.0.5"}, "10.0.0.5", {}), "10.0.0.5") << "it did not say";
  EXPECT_EQ(client({"10.0.0.5"}, "10.0.0.5", {"6.6.6.6, 203.0.113.9"}), "203.0.113.9")
      << "what stood there before is the client's own";
  EXPECT_EQ(client({"10.0.0.5"}, "10.0.0.5", {"6.6.6.6", "203.0.113.9"}), "203.0.113.9");
}

TEST(TrustedProxies, MayStandBehindEachOther) {
  const std::vector<std::string> trusted{"10.0.0.0/8"};
  EXPECT_EQ(client(trusted, "10.0.0.5", {"6.6.6.6, 203.0.113.9, 10.0.0.4"}), "203.0.113.9");
  EXPECT_EQ(client(trusted, "10.0.0.5", {"10.0.0.3 ,10.0.0.4"}), "10.0.0.3")
      << "all of them inside";
}

TEST(TrustedProxies, MayAddAPortAndAreNotFollowedIntoNonsense) {
  const std::vector<std::string> trusted{"10.0.0.0/8"};
  EXPECT_EQ(client(trusted, "10.0.0.5", {"203.0.113.9:4711"}), "203.0.113.9");
  EXPECT_EQ(client(trusted, "10.0.0.5", {"[2001:db8::7]:4711"}), "2001:db8::7");
  EXPECT_EQ(client(trusted, "10.0.0.5", {"2001:db8::7"}), "2001:db8::7");
  EXPECT_EQ(client(trusted, "10.0.0.5", {"::ffff:203.0.113.9"}), "203.0.113.9");
  for (const char* nonsense : {"unknown", "", ",", "203.0.113.9, unknown", "_hidden", "[::1",
                               "1.2.3", "203.0.113.9 6.6.6.6", "\"203.0.113.9\""}) {
    EXPECT_EQ(client(trusted, "10.0.0.5", {nonsense}), "10.0.0.5") << nonsense;
  }
}

TEST(TrustedProxies, TellHowTheClientReachedUs) {
  http::fields headers;
  headers.insert("X-Forwarded-Proto", "https");
  headers.insert("X-Forwarded-Prefix", "/speech/");
  const Peer proxy{ip::make_address("10.0.0.5")};
  const auto source = trusting({"10.0.0.5"}).source_of(proxy, headers);
  EXPECT_EQ(source.url.scheme, "https");
  EXPECT_EQ(source.url.prefix, "/speech");
  const auto lie = trusting({"10.0.0.6"}).source_of(proxy, headers);
  EXPECT_EQ(lie.url.scheme, "http");
  EXPECT_EQ(lie.url.prefix, "");
  headers.set("X-Forwarded-Proto", "wss");
  EXPECT_EQ(trusting({"10.0.0.5"}).source_of(proxy, headers).url.scheme, "https");
}

TEST(TrustedProxies, PutNothingIntoOurLinksThatLeadsElsewhere) {
  for (const char* prefix :
       {"//evil.example", "/a//b", "/a/../b", "speech", "/a?b", "/a\"b", "/"}) {
    http::fields headers;
    headers.insert("X-Forwarded-Prefix", prefix);
    headers.insert("X-Forwarded-Proto", "javascript");
    const auto url = trusting({"::1"}).source_of({ip::make_address("::1")}, headers).url;
    EXPECT_EQ(url.prefix, "") << prefix;
    EXPECT_EQ(url.scheme, "http");
  }
}

TEST(TrustedProxies, AtASocketInTheFileSystemHaveAnEntryOfTheirOwn) {
  http::fields headers;
  headers.insert("X-Forwarded-For", "203.0.113.9");
  const Peer user{ip::address_v4::loopback(), 1000};
  EXPECT_EQ(trusting({"127.0.0.1"}).source_of(user, headers).peer, "unix:1000");
  EXPECT_EQ(trusting({"unix"}).source_of(user, headers).peer, "203.0.113.9");
  EXPECT_EQ(trusting({"unix"}).source_of({ip::address_v4::loopback()}, headers).peer, "127.0.0.1");
  const Peer local{ip::address_v4::loopback(), 1000, "127.0.0.1:8080"};
  EXPECT_EQ(trusting({"unix"}).source_of(local, headers).peer, "local:1000");
  EXPECT_EQ(trusting({"127.0.0.1"}).source_of(local, headers).peer, "203.0.113.9");
}

TEST(ClientNetwork, IsWhatOneClientHasForItself) {
  EXPECT_EQ(client_network(ip::make_address("203.0.113.9")), "203.0.113.9");
  const auto network = client_network(ip::make_address("2001:db8:1:2:3:4:5:6"));
  EXPECT_EQ(network, "2001:db8:1:2::/64");
  EXPECT_EQ(client_network(ip::make_address("2001:db8:1:2:ffff::1")), network);
  EXPECT_NE(client_network(ip::make_address("2001:db8:1:3::1")), network);
}

}  // namespace
}  // namespace server
