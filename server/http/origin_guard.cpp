#include "server/http/origin_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>

namespace server {
namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view separator = "://";
constexpr std::string_view any_name = "*";
constexpr std::string_view null_origin = "null";
constexpr std::size_t most_host_bytes = 253;
constexpr std::array<std::string_view, 3> loopback_names{"localhost", "127.0.0.1", "[::1]"};

Error refused(std::string message, std::string fix) {
  return {errc::forbidden, std::move(message), std::move(fix)};
}

// Quotes a name for a message; names have no more than 253 characters.
std::string quoted_name(std::string_view text) {
  return fmt::format("\"{}\"", text.substr(0, 253));
}

bool is_name_char(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
         byte == '.' || byte == '_';
}

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool is_scheme_char(char byte) {
  return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '+' || byte == '-' ||
         byte == '.';
}

// The host in an app's own scheme need not be a DNS name.
bool is_app_host_char(char byte) {
  return is_scheme_char(byte) || byte == '_' || byte == '~' || byte == ':';
}

bool is_web(std::string_view scheme) {
  return scheme == "http" || scheme == "https";
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == text.npos;
}

// Returns an address in its canonical spelling, IPv6 in brackets; empty if `host` is none.
std::optional<std::string> address_text(const std::string& host) {
  boost::system::error_code failure;
  if (host.starts_with('[') && host.ends_with(']')) {
    const auto address = ip::make_address_v6(host.substr(1, host.size() - 2), failure);
    // The name of an interface is not accepted.
    if (failure || host.find('%') != host.npos) return std::nullopt;
    return "[" + address.to_string() + "]";
  }
  const auto address = ip::make_address_v4(host, failure);
  if (failure) return std::nullopt;
  return address.to_string();
}

// Returns "name.lan" for "Name.lan:8080"; empty if it is no host with or without a port.
std::optional<std::string> host_of(std::string_view text) {
  const auto bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == text.npos) return std::nullopt;
  const auto colon = text.find(':', bracket);
  if (colon != text.npos && !is_port(text.substr(colon + 1))) return std::nullopt;
  std::string host = boost::to_lower_copy(std::string(text.substr(0, colon)));
  if (host.starts_with('[')) return address_text(host);
  if (host.ends_with('.')) host.pop_back();  // the same name, written in full
  if (host.empty() || !std::ranges::all_of(host, is_name_char)) return std::nullopt;
  return host;
}

// Returns the host of an origin of http or https; empty for any other.
std::optional<std::string> host_of_origin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return host_of(origin.substr(scheme.size()));
  }
  return std::nullopt;
}

// Returns "app" for "app://obsidian.md" and "app://*"; empty for what is no origin.
std::string scheme_of(std::string_view origin) {
  const auto end = std::min(origin.find(separator), origin.size());
  const std::string_view scheme = origin.substr(0, end);
  const bool is_scheme = end < origin.size() && !scheme.empty() && is_letter(scheme.front()) &&
                         std::ranges::all_of(scheme, is_scheme_char);
  return is_scheme ? boost::to_lower_copy(std::string(scheme)) : "";
}

// Writes the origin as browsers do: in small letters, and without the scheme's default port.
std::string written_origin(std::string_view text) {
  const std::string origin = boost::to_lower_copy(std::string(text));
  std::string_view usual;
  if (origin.starts_with("https:")) usual = ":443";
  if (origin.starts_with("http:")) usual = ":80";
  return origin.ends_with(usual) ? origin.substr(0, origin.size() - usual.size()) : origin;
}

std::string what_allows(std::string_view origin) {
  if (origin == null_origin) {
    return "Pages opened from files and sandboxed pages of any site send this origin: set "
           "server.key_file, or add \"null\" to server.allowed_origins.";
  }
  if (!is_origin(origin)) return "Send the page's origin, or no field Origin.";
  const std::string entry = quoted_name(origin);
  if (host_of_origin(origin)) {
    return fmt::format("If its pages may use this server, add {} to server.allowed_origins.",
                       entry);
  }
  return fmt::format(
      "If this app may use this server, add {} to server.allowed_origins, or \"{}://*\" for "
      "every host of this scheme.",
      entry, scheme_of(origin));
}

Error refused_host(std::string_view host, const std::optional<std::string>& name) {
  return refused(
      fmt::format("The request is for the host {}, and this server does not go by that name.",
                  quoted_name(host)),
      name ? fmt::format("If it is a name of this server, add {} to server.allowed_hosts; else use "
                         "http://localhost or this machine's address.",
                         quoted_name(*name))
           : "Send a name or an address of this server.");
}

Error refused_origin(std::string_view origin) {
  return refused(
      fmt::format("The request comes from a web page of another origin, {}.", quoted_name(origin)),
      what_allows(origin));
}

}  // namespace

bool is_origin(std::string_view text) {
  if (text == null_origin) return true;
  const std::string scheme = scheme_of(text);
  if (scheme.empty()) return false;
  const std::string_view host = text.substr(scheme.size() + separator.size());
  if (host == any_name) return true;
  if (is_web(scheme)) return host_of(host).has_value();
  return host.size() <= most_host_bytes && std::ranges::all_of(host, is_app_host_char);
}

bool is_any_page(std::string_view text) {
  return text == any_name || (text.ends_with("://*") && is_web(scheme_of(text)));
}

OriginGuard::OriginGuard(const Settings& settings)
    : hosts_(loopback_names.begin(), loopback_names.end()),
      is_public_(settings.is_public),
      has_keys_(settings.has_keys),
      any_host_(settings.has_keys && settings.allowed_hosts.empty()) {
  for (const auto& host : settings.allowed_hosts) {
    if (const auto name = host_of(host)) hosts_.insert(*name);
  }
  for (const auto& name : settings.own_names) {
    if (const auto host = host_of(name)) hosts_.insert(*host);
  }
  for (const auto& origin : settings.allowed_origins) {
    if (origin == any_name) {
      any_page_ = true;
    } else if (origin.ends_with("://*")) {
      schemes_.insert(scheme_of(origin));
    } else {
      origins_.insert(written_origin(origin));
    }
  }
}

bool OriginGuard::is_ours(const std::string& host) const {
  return any_host_ || hosts_.contains(host) || (is_public_ && address_text(host));
}

bool OriginGuard::lists(std::string_view origin) const {
  const auto page = host_of_origin(origin);
  return any_page_ || (page && std::ranges::find(loopback_names, *page) != loopback_names.end()) ||
         origins_.contains(written_origin(origin)) || schemes_.contains(scheme_of(origin));
}

Error OriginGuard::unlisted(std::string_view origin) {
  return refused_origin(origin);
}

Result<void> OriginGuard::check(std::string_view host,
                                std::optional<std::string_view> origin) const {
  const auto name = host_of(host);
  // Browsers always send a host, so no page sent this request.
  const bool is_nameless = host.empty() && has_keys_;
  if (!is_nameless && (!name || !is_ours(*name))) return refused_host(host, name);
  if (!origin || has_keys_ || lists(*origin)) return {};
  // An address is ours only if it is the one that the request went to: any page can have one.
  const auto page = host_of_origin(*origin);
  if (page && (*page == *name || hosts_.contains(*page))) return {};
  return refused_origin(*origin);
}

Result<void> OriginGuard::check(const boost::beast::http::fields& headers) const {
  namespace http = boost::beast::http;
  if (headers.count(http::field::host) > 1 || headers.count(http::field::origin) > 1) {
    return refused("The request has more than one host or origin.", "Send one of each.");
  }
  const auto origin = headers.find(http::field::origin);
  if (origin == headers.end()) return check(headers[http::field::host], std::nullopt);
  return check(headers[http::field::host], origin->value());
}

}  // namespace server
