#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// The proxies that are believed about who their clients are.
class TrustedProxies {
 public:
  TrustedProxies() = default;  // no proxy is trusted

  // Takes addresses and ranges: "10.0.0.5", "10.0.0.0/8", "fd00::/8". Errors: usage.
  static Result<TrustedProxies> parse(const std::vector<std::string>& ranges);

  bool contains(const boost::asio::ip::address& address) const;
  // Returns who sent a request that came from `peer`. Each proxy appends to X-Forwarded-For whom it
  // heard, so what a client made up stands to the left of what can be believed: the rightmost
  // address that is no trusted proxy counts. No other field is read, since proxies pass on those of
  // clients.
  boost::asio::ip::address client_of(const boost::asio::ip::address& peer,
                                     const boost::beast::http::fields& headers) const;

 private:
  struct Range {
    boost::asio::ip::address_v6::bytes_type first{};  // an IPv4 address is stored as ::ffff:a.b.c.d
    int bits = 128;                                   // the length of the common prefix
  };

  std::vector<Range> ranges_{};
};

// Returns 192.0.2.1 for ::ffff:192.0.2.1.
boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

// Returns the key by which limits per client are counted: an IPv4 address, or the /64 that an IPv6
// client has for itself.
std::string client_network(const boost::asio::ip::address& address);

}  // namespace server
