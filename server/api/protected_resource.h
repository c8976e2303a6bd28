#pragma once

#include "server/api/route.h"
#include "server/http/exchange.h"

// Clients that connect to servers of others learn here what this one asks for: protected resource
// metadata (RFC 9728) and challenges (RFC 6750). Keys are the only scheme, so no authorization
// server is named.
namespace server {

// Returns the answer to a request that lacks a key, or a right of its key, with the error's status
// (401, 403) and the field WWW-Authenticate.
Response challenge(const Exchange& exchange, const Error& error, Access needed);

}  // namespace server
