#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

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

// Finds the caller of a request that begins, and counts wrong keys and cookies. Errors: those of
// find_caller(), and those of count_key() and count_token().
Result<Principal> admit_caller(Api& api, const Exchange& exchange);

// Finds whose key this is, and counts a wrong one. Too many wrong ones from the client's address
// have further ones refused without a look, right ones too. Errors: unauthorized, rate_limited.
Result<Principal> count_key(Api& api, const Exchange& exchange, std::string_view key);

// Counts a random token of ours, of a cookie or of a link, that is not known here. Right ones need
// no such limit: they have at least 130 random bits. Errors: rate_limited.
Result<void> count_token(Api& api, const Exchange& exchange, std::string_view token);

// Returns whether the link by whose token a request came still leads to its job: neither the link
// nor its owner's last key has ended.
bool link_lasts(const Api& api, std::string_view token);

// Returns the answer to a client that is not admitted because of `error`, as error_response() does:
// after rate_limited with the time for which its address has to wait.
Response refusal_of_caller(const Api& api, const Exchange& exchange, const Error& error);

}  // namespace server
