#include "server/http/listen_address.h"

#include <sys/un.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>

namespace server {
namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view unix_scheme = "unix:";
constexpr std::size_t max_host_name = 253;

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, port);
  if (failure != std::errc{} || rest != end || text.empty()) return std::nullopt;
  return port;
}

bool is_address(const std::string& host) {
  boost::system::error_code failure;
  ip::make_address(host, failure);
  return !failure;
}

// A name has a letter: what has none, such as 127.0.0, is an address with a mistake in it.
bool is_host_name(std::string_view text) {
  const auto is_letter = [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  };
  const auto is_part = [&](char byte) {
    return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.';
  };
  return text.size() <= max_host_name && std::ranges::all_of(text, is_part) &&
         std::ranges::any_of(text, is_letter);
}

// Returns the host without brackets; empty text stands for every address.
std::optional<std::string> parse_host(std::string_view text) {
  if (text == "localhost") return "127.0.0.1";
  boost::system::error_code failure;
  if (text.starts_with('[') && text.ends_with(']')) {
    const std::string inner(text.substr(1, text.size() - 2));
    ip::make_address_v6(inner, failure);
    if (failure || inner.find('%') != inner.npos) return std::nullopt;
    return inner;
  }
  const std::string host(text);
  ip::make_address_v4(host, failure);
  if (!failure || host.empty() || is_host_name(host)) return host;
  return std::nullopt;
}

std::optional<ListenAddress> parse_path(std::string_view path) {
  if (!path.starts_with('/') || path.ends_with('/')) return std::nullopt;
  if (path.size() >= sizeof(sockaddr_un::sun_path)) return std::nullopt;
  return ListenAddress{.path = std::string(path)};
}

}  // namespace

bool ListenAddress::has_name() const {
  return !host.empty() && !is_address(host);
}

bool ListenAddress::is_local() const {
  if (!path.empty()) return true;
  boost::system::error_code failure;
  const auto address = ip::make_address(host, failure);
  return !failure && address.is_loopback();
}

std::string ListenAddress::text() const {
  if (!path.empty()) return std::string(unix_scheme) + path;
  const bool is_v6 = host.find(':') != host.npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<ListenAddress> parse_listen_address(std::string_view text) {
  if (text.starts_with(unix_scheme)) {
    if (auto found = parse_path(text.substr(unix_scheme.size()))) return *std::move(found);
    return Error{errc::usage, "\"" + std::string(text) + "\" is no socket to listen on.",
                 "Write its whole path, of at most 107 bytes: unix:/run/scribed/socket."};
  }
  const auto colon = text.rfind(':');
  if (colon != text.npos) {
    auto host = parse_host(text.substr(0, colon));
    const auto port = parse_port(text.substr(colon + 1));
    if (host && port) return ListenAddress{.host = *std::move(host), .port = *port};
  }
  return Error{errc::usage, "\"" + std::string(text) + "\" is no address to listen on.",
               "Write an address or a name of this machine and a port (127.0.0.1:8080, "
               "[::1]:8080, :8080 for every address), or unix: and a path."};
}

}  // namespace server
