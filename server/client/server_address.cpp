#include "server/client/server_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace server {
namespace {

constexpr std::string_view unix_scheme = "unix:";

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, port);
  return !text.empty() && failure == std::errc{} && rest == end && port > 0;
}

Error no_address(std::string_view text) {
  return {errc::usage, "\"" + std::string(text) + "\" is no address of a server.",
          "Write http://HOST:PORT, https://HOST, HOST:PORT or unix:/PATH."};
}

Result<ServerAddress> socket_address(std::string_view path) {
  if (!path.starts_with('/')) {
    return Error{errc::usage, "\"unix:" + std::string(path) + "\" is no path of a socket.",
                 "Write it whole: unix:/run/scribed/scribed.sock."};
  }
  return ServerAddress{"http://localhost", std::string(path)};
}

// Returns whether nothing in the text could end the URL's host or hide another one.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return byte > 0x20 && byte < 0x7f; }) &&
         text.find_first_of("@?#\\\"<>") == text.npos;
}

// Returns the URL of "HOST:PORT"; a port is needed, as nobody knows one otherwise.
Result<ServerAddress> host_and_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos || !is_port(text.substr(colon + 1)) || !is_plain(text) ||
      text.find('/') != text.npos) {
    return no_address(text);
  }
  std::string host(text.substr(0, colon));
  if (host.empty() || host == "0.0.0.0" || host == "*") host = "127.0.0.1";
  if (host == "[::]") host = "[::1]";
  return ServerAddress{"http://" + host + std::string(text.substr(colon)), ""};
}

// Returns the host of a URL in lower case, without its port and without brackets.
std::string host_of(std::string_view url) {
  std::string_view rest = url.substr(url.find("//") + 2);
  rest = rest.substr(0, rest.find('/'));
  rest =
      rest.starts_with('[') ? rest.substr(1, rest.find(']') - 1) : rest.substr(0, rest.find(':'));
  std::string host(rest);
  std::ranges::transform(host, host.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return host;
}

// Knows every way to write an address of loopback, and "this machine" (0), which leads there.
bool is_this_machine(const std::string& host) {
  std::string_view name = host;
  while (name.ends_with('.')) name.remove_suffix(1);
  if (name == "localhost" || name.ends_with(".localhost")) return true;
  const auto leads_here = [](std::uint32_t address) {
    return address == 0 || address >> 24 == 127;
  };
  in_addr v4{};
  if (::inet_aton(host.c_str(), &v4) != 0) return leads_here(ntohl(v4.s_addr));
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) != 1) return false;
  if (IN6_IS_ADDR_LOOPBACK(&v6) || IN6_IS_ADDR_UNSPECIFIED(&v6)) return true;
  std::uint32_t mapped = 0;
  std::memcpy(&mapped, v6.s6_addr + 12, sizeof mapped);
  return IN6_IS_ADDR_V4MAPPED(&v6) && leads_here(ntohl(mapped));
}

}  // namespace

bool ServerAddress::is_local() const {
  return !socket.empty() || is_this_machine(host_of(url));
}

Result<ServerAddress> parse_server_address(std::string_view text) {
  if (text.starts_with(unix_scheme)) return socket_address(text.substr(unix_scheme.size()));
  const auto scheme = text.find("://");
  if (scheme == text.npos) return host_and_port(text);
  const bool is_http = text.starts_with("http://") || text.starts_with("https://");
  std::string_view rest = text.substr(scheme + 3);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (!is_http || rest.empty() || rest.starts_with('/') || rest.starts_with(':') ||
      !is_plain(rest)) {
    return no_address(text);
  }
  return ServerAddress{std::string(text.substr(0, scheme + 3)) + std::string(rest), ""};
}

Result<ServerAddress> address_of_listener(std::string_view listen) {
  if (listen.starts_with(unix_scheme)) return socket_address(listen.substr(unix_scheme.size()));
  return host_and_port(listen);
}

}  // namespace server
