#include "server/outbound/outbound_url.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "server/outbound/public_address.h"

namespace server {
namespace {

constexpr std::size_t max_url_bytes = 4096;
constexpr std::size_t max_name_bytes = 200;

struct FreeUrl {
  void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};

struct FreeText {
  void operator()(char* text) const noexcept { curl_free(text); }
};

// Returns one part of the address; empty if the address does not have it.
std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return "";
  const std::unique_ptr<char, FreeText> owner(text);
  return text;
}

Error refused(std::string message, std::string fix) {
  return {errc::url_refused, std::move(message), std::move(fix)};
}

std::string lower_host(CURLU* url) {
  std::string host = part(url, CURLUPART_HOST);
  while (host.ends_with('.')) host.pop_back();
  std::ranges::transform(host, host.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  return host;
}

bool matches(const std::string& pattern, const std::string& host) {
  if (pattern.starts_with("*.")) {
    return host.size() > pattern.size() - 1 && host.ends_with(std::string_view(pattern).substr(1));
  }
  return pattern == host;
}

bool lists(const std::vector<std::string>& patterns, const std::string& host) {
  return std::ranges::any_of(patterns, [&](const auto& pattern) { return matches(pattern, host); });
}

std::string last_part(CURLU* url) {
  std::string path = part(url, CURLUPART_PATH, CURLU_URLDECODE);
  path.erase(0, path.rfind('/') + 1);
  // The name must not end in the middle of a UTF-8 character.
  std::size_t end = std::min(path.size(), max_name_bytes);
  while (end < path.size() && end > 0 && (path[end] & 0xC0) == 0x80) --end;
  path.resize(end);
  return path;
}

// Returns the address where the host is one and not a name, including the short, octal and
// hexadecimal spellings that the resolver reads.
std::optional<boost::asio::ip::address> literal_address(std::string host) {
  namespace ip = boost::asio::ip;
  in_addr plain{};
  if (::inet_aton(host.c_str(), &plain) != 0) return ip::address_v4(ntohl(plain.s_addr));
  if (!host.starts_with('[') || !host.ends_with(']')) return std::nullopt;
  boost::system::error_code failure;
  const auto address = ip::make_address_v6(host.substr(1, host.size() - 2), failure);
  if (failure) return std::nullopt;
  return address;
}

}  // namespace

Result<OutboundUrl> read_url(const std::string& text, const OutboundRules& rules) {
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
  if (text.size() > max_url_bytes || !is_plain) {
    return refused("the address is too long, or has characters that no address has",
                   "Write it in ASCII, without spaces: %20, xn--…");
  }
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (!url ||
      curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
    return refused("this is no address of the web", "It begins with https://");
  }
  OutboundUrl out{.host = lower_host(url.get()), .name = last_part(url.get())};
  out.is_own = rules.allow_private || lists(rules.own_hosts, out.host);
  const std::string scheme = part(url.get(), CURLUPART_SCHEME);
  if (scheme != "https" && !(scheme == "http" && out.is_own)) {
    return refused("addresses that begin with " + scheme + ":// are not fetched",
                   "Only https:// is allowed.");
  }
  if (!part(url.get(), CURLUPART_USER).empty() || !part(url.get(), CURLUPART_PASSWORD).empty()) {
    return refused("the address holds a user or a password", "Leave them out.");
  }
  if (out.host.empty()) return refused("the address names no host", "");
  if (!out.is_own && !lists(rules.hosts, out.host) && !lists(rules.hosts, "*")) {
    return refused(out.host + " is not one of the hosts that scribed may ask",
                   "Send the file itself, or ask whoever runs this server to allow the host.");
  }
  const auto literal = literal_address(out.host);
  if (literal && !out.is_own && !is_public_address(*literal)) {
    return refused(out.host + " is no address of the public internet",
                   "Only public addresses are asked.");
  }
  curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
  curl_url_set(url.get(), CURLUPART_HOST, out.host.c_str(), 0);
  out.text = part(url.get(), CURLUPART_URL);
  return out;
}

}  // namespace server
