#include "server/http/listen_address.h"

#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>
#include <string>

namespace server {
namespace {

namespace ip = boost::asio::ip;

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, port);
  if (failure != std::errc{} || rest != end || text.empty()) return std::nullopt;
  return port;
}

std::optional<ip::address> parse_host(std::string_view text) {
  if (text == "localhost") return ip::address_v4::loopback();
  boost::system::error_code failure;
  if (text.starts_with('[') && text.ends_with(']')) {
    const auto address = ip::make_address_v6(std::string(text.substr(1, text.size() - 2)), failure);
    if (!failure) return address;
    return std::nullopt;
  }
  const auto address = ip::make_address_v4(std::string(text), failure);
  if (!failure) return address;
  return std::nullopt;
}

}  // namespace

Result<ip::tcp::endpoint> parse_listen_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon != text.npos) {
    const auto host = parse_host(text.substr(0, colon));
    const auto port = parse_port(text.substr(colon + 1));
    if (host && port) return ip::tcp::endpoint(*host, *port);
  }
  return Error{errc::usage, "\"" + std::string(text) + "\" is no address to listen on.",
               "Write an address of this machine and a port: 127.0.0.1:8080 or [::1]:8080."};
}

}  // namespace server
