#include "server/http/base_url.h"

#include <algorithm>
#include <string_view>

namespace server {
namespace {

// The name goes into addresses that others read, so it may hold nothing that ends one.
bool is_host(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '.' || byte == '-' || byte == '_' ||
           byte == ':' || byte == '[' || byte == ']';
  });
}

}  // namespace

std::optional<std::string> base_url(const Exchange& exchange) {
  const std::string_view host = exchange.headers()[http::field::host];
  if (!is_host(host)) return std::nullopt;
  return exchange.url().scheme + "://" + std::string(host) + exchange.url().prefix;
}

}  // namespace server
