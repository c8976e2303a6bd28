#include "server/api/caller.h"

#include <ctime>
#include <utility>

#include "server/api/socket_keys.h"
#include "server/sessions/page_origin.h"
#include "server/sessions/session_cookie.h"
#include "server/sessions/sessions.h"

namespace server {

bool counts_by_cookie(const Api& api, const Exchange& exchange) {
  const http::fields& headers = exchange.headers();
  if (api.keys.is_open() || headers.count(http::field::authorization) > 0) return false;
  return sent_key(headers).empty() && !session_token(exchange).empty();
}

asio::awaitable<void> learn_caller(const Api& api, const Exchange& exchange) {
  if (!counts_by_cookie(api, exchange)) co_return;
  auto learning = api.sessions.learn(session_token(exchange));
  co_await std::move(learning);
}

Result<Principal> find_caller(const Api& api, const Exchange& exchange) {
  if (!counts_by_cookie(api, exchange)) return authenticate(api.keys, exchange.headers());
  if (const auto own = check_page_origin(exchange); !own) return own.error();
  const auto now = static_cast<double>(std::time(nullptr));
  return api.sessions.find(session_token(exchange), api.keys, now);
}

}  // namespace server
