#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/api/api.h"
#include "server/http/principal.h"

namespace server {

// Returns whether a request counts by the cookie of a browser that has signed in. A key goes before
// a cookie, and without keys there is nothing to sign in to.
bool counts_by_cookie(const Api& api, const Exchange& exchange);

// Asks what other daemons know of a cookie that is not known here; before find_caller().
asio::awaitable<void> learn_caller(const Api& api, const Exchange& exchange);

// Finds who sends a request, by its key or by its cookie. Errors: unauthorized; forbidden, where
// another page uses the cookie; database_unavailable, where only a database knows who it is.
Result<Principal> find_caller(const Api& api, const Exchange& exchange);

}  // namespace server
