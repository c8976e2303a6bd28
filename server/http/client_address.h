#pragma once

#include <sys/types.h>

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// The other end of a connection.
struct Peer {
  boost::asio::ip::address address{};  // loopback for a socket in the file system
  std::optional<uid_t> user{};         // whose program is there, if it is on this machine
  std::string here{};                  // our end: "127.0.0.1:8080"; empty for such a socket

  bool by_file() const { return user && here.empty(); }
  // Returns "192.0.2.1"; "unix:1000" for a user at a socket in the file system, and "local:1000"
  // for one at a loopback address.
  std::string name() const;
};

// How the client reached this server, as far as a trusted proxy tells.
struct ForwardedUrl {
  std::string scheme = "http";
  std::string prefix{};  // what the proxy has cut off the path: "/speech"; no slash at its end
};

// Who sent a request, and where it was sent to.
struct RequestSource {
  std::string peer{};  // as Peer::name()
  std::string here{};  // as Peer::here
  ForwardedUrl url{};
};

// The proxies that are believed about their clients.
class TrustedProxies {
 public:
  TrustedProxies() = default;  // no proxy is trusted

  // Takes addresses and ranges: "10.0.0.5", "10.0.0.0/8", "fd00::/8"; and "unix" for whoever comes
  // by a socket in the file system. Errors: usage.
  static Result<TrustedProxies> parse(const std::vector<std::string>& ranges);

  bool contains(const boost::asio::ip::address& address) const;
  bool trusts(const Peer& peer) const;
  // Returns who sent a request that came from `peer`. Each proxy appends to X-Forwarded-For whom it
  // heard, so what a client made up stands to the left of what can be believed: the rightmost
  // address that is no trusted proxy counts. X-Forwarded-Proto and X-Forwarded-Prefix are believed
  // as the last proxy has set them. No other field is read, since proxies pass on those of clients.
  RequestSource source_of(const Peer& peer, const boost::beast::http::fields& headers) const;

 private:
  struct Range {
    boost::asio::ip::address_v6::bytes_type first{};  // an IPv4 address is stored as ::ffff:a.b.c.d
    int bits = 128;                                   // the length of the common prefix
  };

  std::vector<Range> ranges_{};
  bool trusts_files_ = false;  // clients of sockets in the file system
};

// Returns 192.0.2.1 for ::ffff:192.0.2.1.
boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

// Returns the key by which limits per client are counted: an IPv4 address, or the /64 that an IPv6
// client has for itself.
std::string client_network(const boost::asio::ip::address& address);

}  // namespace server
