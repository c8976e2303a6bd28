#include "server/api/caller.h"

#include <ctime>
#include <string>
#include <utility>

#include "server/api/socket_keys.h"
#include "server/http/error_response.h"
#include "server/sessions/page_origin.h"
#include "server/sessions/session_cookie.h"
#include "server/sessions/sessions.h"
#include "server/sessions/shares.h"

namespace server {
namespace {

Error too_many_wrong_keys() {
  return {errc::rate_limited, "Too many wrong keys came from your address.",
          "Try again later; the header Retry-After says when."};
}

}  // namespace

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

Result<Principal> admit_caller(Api& api, const Exchange& exchange) {
  if (!counts_by_cookie(api, exchange)) {
    const std::string key = sent_key(exchange.headers());
    return key.empty() ? find_caller(api, exchange) : count_key(api, exchange, key);
  }
  auto caller = find_caller(api, exchange);
  if (caller || caller.error().code != errc::unauthorized) return caller;
  const auto counted = count_token(api, exchange, session_token(exchange));
  return counted ? caller : counted.error();
}

Result<Principal> count_key(Api& api, const Exchange& exchange, std::string_view key) {
  const KeyHash hash = hash_of_key(key);
  if (api.keys.is_open()) return api.keys.find_hash(hash);
  const auto now = WrongKeys::Clock::now();
  if (api.wrong_keys.wait(exchange.peer(), hash, now)) return too_many_wrong_keys();
  auto caller = api.keys.find_hash(hash);
  if (caller) {
    api.wrong_keys.note_right(exchange.peer(), hash, now);
  } else {
    api.wrong_keys.note_wrong(exchange.peer(), hash, now);
  }
  return caller;
}

Result<void> count_token(Api& api, const Exchange& exchange, std::string_view token) {
  if (api.keys.is_open()) return {};
  const KeyHash hash = hash_of_key(token);
  const auto now = WrongKeys::Clock::now();
  if (api.wrong_keys.wait(exchange.peer(), hash, now)) return too_many_wrong_keys();
  api.wrong_keys.note_wrong(exchange.peer(), hash, now);
  return {};
}

bool link_lasts(const Api& api, std::string_view token) {
  const auto share = api.shares.find(token, static_cast<double>(std::time(nullptr)));
  return share && api.keys.may(share->owner, Right::transcribe);
}

Response refusal_of_caller(const Api& api, const Exchange& exchange, const Error& error) {
  if (error.code != errc::rate_limited) return error_response(error);
  const KeyHash any_key{};
  const auto wait = api.wrong_keys.wait(exchange.peer(), any_key, WrongKeys::Clock::now());
  return error_response(error, {}, wait);
}

}  // namespace server
