#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// Proxies whose word is taken for who their clients are.
class TrustedProxies {
 public:
  TrustedProxies() = default;  // none

  // Addresses and ranges: "10.0.0.5", "10.0.0.0/8", "fd00::/8". Errors: usage.
  static Result<TrustedProxies> parse(const std::vector<std::string>& ranges);

  bool contains(const boost::asio::ip::address& address) const;
  // Who sent a request that came from `peer`. Each proxy adds to X-Forwarded-For whom it heard, so
  // what a client made up stands to the left of what can be believed: the rightmost address that is
  // no trusted proxy counts. No other field is read, since proxies pass those of clients on.
  boost::asio::ip::address client_of(const boost::asio::ip::address& peer,
                                     const boost::beast::http::fields& headers) const;

 private:
  struct Range {
    boost::asio::ip::address_v6::bytes_type first{};  // IPv4 as ::ffff:a.b.c.d
    int bits = 128;                                   // that are alike in the range
  };

  std::vector<Range> ranges_{};
};

// 192.0.2.1 for ::ffff:192.0.2.1.
boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

// What limits for each client are counted by: an IPv4 address, or the /64 that an IPv6 client has
// for itself.
std::string client_network(const boost::asio::ip::address& address);

}  // namespace server
