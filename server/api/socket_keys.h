#pragma once

#include <string>

#include "server/base/error.h"
#include "server/http/api_keys.h"
#include "server/http/exchange.h"

namespace server {

// What a client says by the subprotocols that it offers for a WebSocket. A page of a browser cannot
// send the field Authorization with it, so clients offer their key as if it were a subprotocol:
// `token, KEY` and `bearer, KEY` to Deepgram, and `realtime, openai-insecure-api-key.KEY` to
// OpenAI.
struct OfferedSubprotocols {
  std::string answer{};  // is to be answered, since browsers end a socket without it; empty: none
  std::string key{};     // empty: none
};

OfferedSubprotocols offered_subprotocols(const http::fields& headers);

// Returns the key that a request carries in any of the ways below; empty: none.
std::string sent_key(const http::fields& headers);

// Finds who sends a request: by `Authorization: Bearer KEY`, by `Authorization: Token KEY` as
// Deepgram's clients say it, and without that field by the subprotocols of a WebSocket. Errors:
// unauthorized.
Result<Principal> authenticate(const ApiKeys& keys, const http::fields& headers);

}  // namespace server
