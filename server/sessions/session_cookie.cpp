#include "server/sessions/session_cookie.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace server {
namespace {

bool is_secure(const Exchange& exchange) {
  return exchange.url().scheme == "https";
}

// Returns the port in "localhost:8080" and "[::1]:8080", or the usual one.
std::string_view port_of(const Exchange& exchange) {
  const std::string_view host = exchange.headers()[http::field::host];
  const auto colon = host.rfind(':');
  const bool has_port = colon != host.npos && host.find(']', colon) == host.npos;
  const auto port = has_port ? host.substr(colon + 1) : std::string_view();
  const bool is_number =
      !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
  if (is_number) return port;
  return is_secure(exchange) ? "443" : "80";
}

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::string session_cookie_name(const Exchange& exchange) {
  return fmt::format("{}scribed_{}", is_secure(exchange) ? "__Host-" : "", port_of(exchange));
}

// A field with cookies may come several times. Another server of the same host, or of a domain
// above it, can set a cookie of the same name, and nothing tells which of two is ours.
std::string session_token(const Exchange& exchange) {
  const std::string name = session_cookie_name(exchange);
  std::string token;
  int found = 0;
  const auto fields = exchange.headers().equal_range(http::field::cookie);
  for (auto field = fields.first; field != fields.second; ++field) {
    const std::string_view value = field->value();
    for (std::size_t begin = 0; begin < value.size();) {
      const auto end = std::min(value.find(';', begin), value.size());
      const auto cookie = without_spaces(value.substr(begin, end - begin));
      begin = end + 1;
      const auto equals = cookie.find('=');
      if (equals == cookie.npos || cookie.substr(0, equals) != name) continue;
      token = cookie.substr(equals + 1);
      ++found;
    }
  }
  return found == 1 ? token : "";
}

std::string session_cookie(const Exchange& exchange, const std::string& token, long seconds) {
  return fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}",
                     session_cookie_name(exchange), token, seconds,
                     is_secure(exchange) ? "; Secure" : "");
}

}  // namespace server
