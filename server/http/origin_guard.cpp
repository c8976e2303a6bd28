#include "server/http/origin_guard.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>

namespace server {
namespace {

namespace ip = boost::asio::ip;

Error refused(const char* message, const char* fix) {
  return {errc::forbidden, message, fix};
}

bool is_name_char(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
         byte == '.' || byte == '_';
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == text.npos;
}

// An address in its one usual spelling, IPv6 in brackets; nothing where `host` is none.
std::optional<std::string> address_text(const std::string& host) {
  boost::system::error_code failure;
  if (host.starts_with('[') && host.ends_with(']')) {
    const auto address = ip::make_address_v6(host.substr(1, host.size() - 2), failure);
    if (failure || host.find('%') != host.npos) return std::nullopt;  // no interface's name
    return "[" + address.to_string() + "]";
  }
  const auto address = ip::make_address_v4(host, failure);
  if (failure) return std::nullopt;
  return address.to_string();
}

// "Name.lan:8080" as "name.lan"; nothing where it is no host with or without a port.
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

// Of http and https only.
std::optional<std::string> host_of_origin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return host_of(origin.substr(scheme.size()));
  }
  return std::nullopt;
}

}  // namespace

OriginGuard::OriginGuard(const Settings& settings)
    : hosts_{"localhost", "127.0.0.1", "[::1]"}, is_public_(settings.is_public) {
  for (const auto& host : settings.allowed_hosts) {
    if (const auto name = host_of(host)) hosts_.insert(*name);
  }
  for (const auto& origin : settings.allowed_origins) origins_.insert(boost::to_lower_copy(origin));
}

bool OriginGuard::is_ours(const std::string& host) const {
  return hosts_.contains(host) || (is_public_ && address_text(host));
}

Result<void> OriginGuard::check(std::string_view host,
                                std::optional<std::string_view> origin) const {
  const auto name = host_of(host);
  if (!name || !is_ours(*name)) {
    return refused("The request names another host than this server.",
                   "Use http://localhost or http://127.0.0.1, or add the name to allowed_hosts.");
  }
  if (!origin || origins_.contains(boost::to_lower_copy(std::string(*origin)))) return {};
  // An address is ours only where it is the one that the request went to: any page can have one.
  const auto page = host_of_origin(*origin);
  if (page && (*page == *name || hosts_.contains(*page))) return {};
  return refused("The request comes from a web page of another origin.",
                 "Add the page's origin to allowed_origins if it may use scribed.");
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
