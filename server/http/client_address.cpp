#include "server/http/client_address.h"

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <ranges>
#include <string_view>

namespace server {
namespace {

namespace ip = boost::asio::ip;

using Bytes = ip::address_v6::bytes_type;

constexpr int mapped_bits = 96;  // bits before an IPv4 address in its IPv6 form

Bytes bytes_of(const ip::address& address) {
  return address.is_v6() ? address.to_v6().to_bytes()
                         : ip::make_address_v6(ip::v4_mapped, address.to_v4()).to_bytes();
}

std::optional<ip::address> parse_address(std::string_view text) {
  boost::system::error_code failure;
  const auto address = ip::make_address(text, failure);
  if (failure || text.find('%') != text.npos) return std::nullopt;
  return plain_address(address);
}

// Parses one entry of X-Forwarded-For; some proxies add a port: "192.0.2.1:4711",
// "[2001:db8::1]:4711".
std::optional<ip::address> parse_hop(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    return end == text.npos ? std::nullopt : parse_address(text.substr(1, end - 1));
  }
  if (std::ranges::count(text, ':') == 1) text = text.substr(0, text.find(':'));
  return parse_address(text);
}

bool are_alike(const Bytes& one, const Bytes& other, int bits) {
  const int whole = bits / 8;
  const int rest = bits % 8;
  if (!std::equal(one.begin(), one.begin() + whole, other.begin())) return false;
  return rest == 0 || (one[whole] ^ other[whole]) >> (8 - rest) == 0;
}

// Returns the entries of all fields of that name, from left to right.
std::vector<std::string> entries_of(const boost::beast::http::fields& headers, const char* name) {
  std::vector<std::string> hops;
  const auto [first, last] = headers.equal_range(name);
  for (const auto& field : std::ranges::subrange(first, last)) {
    const std::string_view value = field.value();
    for (const auto part : value | std::views::split(',')) {
      hops.push_back(boost::trim_copy(std::string(part.begin(), part.end())));
    }
  }
  return hops;
}

// Returns the entry that the proxy next to us has set; empty where there is none.
std::string last_entry(const boost::beast::http::fields& headers, const char* name) {
  const auto entries = entries_of(headers, name);
  return entries.empty() ? "" : entries.back();
}

// Returns a path that may stand in links of ours: "/speech" of "/speech/". What could lead to
// another host or folder gives an empty text.
std::string plain_prefix(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-/";
  const bool is_plain = path.starts_with('/') && path.size() <= 256 &&
                        path.find_first_not_of(allowed) == path.npos &&
                        path.find("//") == path.npos && path.find("/.") == path.npos;
  return is_plain ? path : "";
}

// Traefik names the scheme of a WebSocket.
bool is_secure(std::string_view scheme) {
  return scheme == "https" || scheme == "wss";
}

ForwardedUrl forwarded_url(const boost::beast::http::fields& headers) {
  return {.scheme = is_secure(last_entry(headers, "X-Forwarded-Proto")) ? "https" : "http",
          .prefix = plain_prefix(last_entry(headers, "X-Forwarded-Prefix"))};
}

}  // namespace

std::string Peer::name() const {
  if (!user) return address.to_string();
  return (by_file() ? "unix:" : "local:") + std::to_string(*user);
}

Result<TrustedProxies> TrustedProxies::parse(const std::vector<std::string>& ranges) {
  TrustedProxies proxies;
  for (const std::string_view text : ranges) {
    if (text == "unix") {
      proxies.trusts_files_ = true;
      continue;
    }
    const auto slash = std::min(text.find('/'), text.size());
    const auto address = parse_address(text.substr(0, slash));
    const auto length = text.substr(std::min(slash + 1, text.size()));
    const int longest = address && address->is_v4() ? 32 : 128;
    int bits = slash == text.size() ? longest : -1;
    const auto [rest, failure] =
        std::from_chars(length.data(), length.data() + length.size(), bits);
    const bool is_read =
        slash == text.size() || (failure == std::errc{} && rest == length.data() + length.size());
    if (!address || !is_read || bits < 0 || bits > longest) {
      return Error{errc::usage, "\"" + std::string(text) + "\" is no address of a proxy.",
                   "Write an address or a range (10.0.0.5, 10.0.0.0/8, fd00::/8), or unix."};
    }
    proxies.ranges_.push_back({bytes_of(*address), address->is_v4() ? mapped_bits + bits : bits});
  }
  return proxies;
}

bool TrustedProxies::contains(const ip::address& address) const {
  const Bytes bytes = bytes_of(address);
  return std::ranges::any_of(
      ranges_, [&](const Range& range) { return are_alike(range.first, bytes, range.bits); });
}

bool TrustedProxies::trusts(const Peer& peer) const {
  return peer.by_file() ? trusts_files_ : contains(peer.address);
}

RequestSource TrustedProxies::source_of(const Peer& peer,
                                        const boost::beast::http::fields& headers) const {
  RequestSource source{.peer = peer.name(), .here = peer.here};
  if (!trusts(peer)) return source;
  source.url = forwarded_url(headers);
  for (const auto& hop : entries_of(headers, "X-Forwarded-For") | std::views::reverse) {
    const auto address = parse_hop(hop);
    if (!address) break;  // the last address that could be understood is the best that is known
    source.peer = address->to_string();
    if (!contains(*address)) break;
  }
  return source;
}

ip::address plain_address(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

std::string client_network(const ip::address& address) {
  if (address.is_v4()) return address.to_string();
  Bytes bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return ip::address_v6(bytes).to_string() + "/64";
}

}  // namespace server
