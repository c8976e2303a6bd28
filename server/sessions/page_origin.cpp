#include "server/sessions/page_origin.h"

#include <string>
#include <string_view>

namespace server {
namespace {

constexpr char site_field[] = "Sec-Fetch-Site";

// Returns whether the request only reads. A WebSocket begins as a GET, and then does anything.
bool only_reads(const Exchange& exchange) {
  const bool is_get = exchange.method() == http::verb::get || exchange.method() == http::verb::head;
  return is_get && exchange.headers().count(http::field::upgrade) == 0;
}

}  // namespace

PageOrigin page_origin(const Exchange& exchange) {
  const http::fields& headers = exchange.headers();
  const std::string_view site = headers[site_field];
  // Here the browser has compared for itself, also where a proxy tells us another Host.
  if (site == "same-origin" && headers.count(site_field) == 1) return PageOrigin::same;
  if (headers.count(http::field::origin) > 0) {
    const std::string own = exchange.url().scheme + "://" + std::string(headers[http::field::host]);
    return headers[http::field::origin] == own ? PageOrigin::same : PageOrigin::other;
  }
  return site.empty() || site == "none" ? PageOrigin::untold : PageOrigin::other;
}

Result<void> check_page_origin(const Exchange& exchange) {
  const PageOrigin origin = page_origin(exchange);
  if (origin == PageOrigin::same) return {};
  if (origin == PageOrigin::untold && only_reads(exchange)) return {};
  return Error{errc::forbidden,
               "A browser that has signed in may do this from this server's own page alone.",
               "Programs and other pages send a key: Authorization: Bearer KEY"};
}

}  // namespace server
