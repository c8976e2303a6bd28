#include "server/outbound/public_address.h"

#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>

namespace server {
namespace {

bool is_public(const char* text) {
  return is_public_address(boost::asio::ip::make_address(text));
}

TEST(PublicAddress, TakesAddressesOfTheInternet) {
  for (const char* address : {"1.1.1.1",         "8.8.8.8",
                              "9.255.255.255",   "11.0.0.0",
                              "100.63.255.255",  "100.128.0.0",
                              "126.255.255.255", "128.0.0.0",
                              "168.63.129.15",   "168.63.129.17",
                              "169.253.255.255", "169.255.0.0",
                              "172.15.255.255",  "172.32.0.0",
                              "192.0.1.0",       "192.167.255.255",
                              "192.169.0.0",     "198.17.255.255",
                              "198.20.0.0",      "223.255.255.255",
                              "2001:200::1",     "2001:4860:4860::8888",
                              "2003::1",         "2606:4700:4700::1111",
                              "2a00:1450::1",    "3ffd::1"}) {
    EXPECT_TRUE(is_public(address)) << address;
  }
}

TEST(PublicAddress, RefusesWhatLeadsToThisMachineOrItsNetwork) {
  for (const char* address :
       {"0.0.0.0",         "0.1.2.3",         "10.0.0.1",        "10.255.255.255",
        "100.64.0.1",      "100.100.100.200", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "168.63.129.16",   "169.254.0.1",     "169.254.169.254",
        "172.16.0.1",      "172.31.255.255",  "192.0.0.1",       "192.0.0.192",
        "192.0.2.1",       "192.88.99.1",     "192.168.0.1",     "192.168.255.255",
        "198.18.0.1",      "198.19.255.255",  "198.51.100.7",    "203.0.113.7",
        "224.0.0.1",       "239.255.255.255", "240.0.0.1",       "255.255.255.255"}) {
    EXPECT_FALSE(is_public(address)) << address;
  }
}

TEST(PublicAddress, RefusesAddressesOfIpv6ThatAreNotOfTheInternetOrHideOthers) {
  for (const char* address : {"::",                  // any
                              "::1",                 // loopback
                              "::ffff:127.0.0.1",    // IPv4-mapped
                              "::ffff:8.8.8.8",      // also with a public address inside
                              "::ffff:0:127.0.0.1",  // translated
                              "::127.0.0.1",         // IPv4-compatible
                              "64:ff9b::7f00:1",     // NAT64
                              "64:ff9b:1::a00:1",    // NAT64 of a local network
                              "100::1",              // discarded
                              "2001::1",             // Teredo
                              "2001:2::1",           // benchmarks
                              "2001:10::1",          // ORCHID
                              "2001:1ff:ffff::1",    // the last of the protocol assignments
                              "2001:db8::1",         // documentation
                              "2002:7f00:1::",       // 6to4 of 127.0.0.1
                              "2002:808:808::",      // 6to4
                              "3ffe::1",             // 6bone
                              "3fff::1",             // documentation
                              "3fff:fff:ffff::1",    // its end
                              "4000::1",             // not given out
                              "5f00::1",             // segment routing
                              "fc00::1",             // unique local
                              "fd00:ec2::254",  // unique local, where a cloud tells credentials
                              "fe80::1",        // link-local
                              "fe80::1%1",      // with an interface
                              "fec0::1",        // site-local
                              "ff02::1",        // multicast
                              "ff0e::1",        // multicast of the whole internet
                              "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}) {
    EXPECT_FALSE(is_public(address)) << address;
  }
}

}  // namespace
}  // namespace server
