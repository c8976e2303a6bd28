#pragma once

#include <string>

#include "server/http/exchange.h"

// The cookie of a browser that has signed in. Cookies ignore ports, so its name has the port by
// which the browser knows this server: several on one machine do not sign each other out.
namespace server {

// Returns "scribed_8080", or "__Host-scribed_443" where the request came by https: no other host
// and no page without TLS can set a cookie with that prefix.
std::string session_cookie_name(const Exchange& exchange);

// Returns what the cookie of this request holds; empty where there is none, or several.
std::string session_token(const Exchange& exchange);

// Returns the field Set-Cookie that keeps the token in the browser for so many seconds; 0 removes
// the cookie.
std::string session_cookie(const Exchange& exchange, const std::string& token, long seconds);

}  // namespace server
