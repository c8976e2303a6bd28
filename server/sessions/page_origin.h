#pragma once

#include "server/base/error.h"
#include "server/http/exchange.h"

// A browser sends its cookie with whatever a page of the same host asks for, whatever that page's
// port: so a request that counts by its cookie must come from our own page, to the letter. Origin
// and Sec-Fetch-Site are fields that no page can write.
namespace server {

enum class PageOrigin {
  same,    // our own page has sent the request
  untold,  // the browser does not say so: somebody typed the address, or it is no browser
  other,   // another page has, be it only of another port or scheme
};

PageOrigin page_origin(const Exchange& exchange);

// Checks a request that counts by its cookie: what changes something, or opens a WebSocket, must be
// our own page's, and what reads may not be another's. The error is forbidden.
Result<void> check_page_origin(const Exchange& exchange);

}  // namespace server
