#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/caller.h"
#include "server/api/handlers.h"
#include "server/api/key_limits.h"
#include "server/http/error_response.h"
#include "server/sessions/page_origin.h"
#include "server/sessions/session_cookie.h"
#include "server/sessions/sessions.h"

// A person signs in with a key: what a browser asks for by itself (sound, events, WebSockets)
// cannot carry the field Authorization.
namespace server::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_sign_in_bytes = 4096;
constexpr char sign_in_example[] = R"(As in {"key": "…"}.)";

double now_s() {
  return static_cast<double>(std::time(nullptr));
}

// `caller` is nobody's where it is empty.
std::string session_body(const Api& api, const std::optional<Principal>& caller) {
  Json rights = Json::array();
  Json name, ends_at;
  if (caller) {
    for (const Right right : caller->rights) rights.push_back(server::name(right));
    name = caller->name;
    if (caller->until) ends_at = *caller->until;
  }
  const Json body{{"name", std::move(name)},
                  {"rights", std::move(rights)},
                  {"keys_required", !api.keys.is_open()},
                  {"ends_at", std::move(ends_at)}};
  return protocol::json::dump(body);
}

Result<std::string> key_in(const std::string& body) {
  const auto json = protocol::json::parse_object(body);
  if (!json) return Error{errc::usage, "The body must be a JSON object.", sign_in_example};
  const auto key = json->find("key");
  if (key == json->end() || !key->is_string() || json->size() != 1) {
    return Error{errc::usage, "The body must have only the parameter key.", sign_in_example};
  }
  return key->get<std::string>();
}

// A page of others could sign somebody in as somebody else, who would then read what is recorded.
Error foreign_sign_in() {
  return {errc::forbidden, "Signing in is for this server's own page.", "Open that page itself."};
}

}  // namespace

asio::awaitable<void> get_session(Api& api, ApiCall& call) {
  co_await learn_caller(api, call.exchange);
  const auto caller = admit_caller(api, call.exchange);
  // A page whose cookie has ended is to ask for a key, however many wrong ones have come.
  const bool has_old_cookie =
      !caller && caller.error().code == errc::rate_limited && counts_by_cookie(api, call.exchange);
  if (!caller && caller.error().code != errc::unauthorized && !has_old_cookie) {
    Response refusal = refusal_of_caller(api, call.exchange, caller.error());
    co_return co_await call.exchange.send(std::move(refusal));
  }
  std::string text = session_body(api, caller ? std::optional(*caller) : std::nullopt);
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> begin_session(Api& api, ApiCall& call) {
  Exchange& exchange = call.exchange;
  if (page_origin(exchange) == PageOrigin::other) {
    co_return co_await send_error(exchange, foreign_sign_in());
  }
  const auto body = co_await exchange.read_body(max_sign_in_bytes);
  if (!body) co_return co_await send_error(exchange, body.error());
  const auto key = key_in(*body);
  if (!key) co_return co_await send_error(exchange, key.error(), "key");
  if (api.keys.is_open()) {
    std::string text = session_body(api, *find_caller(api, exchange));
    co_return co_await send_json(exchange, std::move(text));
  }
  auto caller = count_key(api, exchange, *key);
  if (!caller && caller.error().code == errc::rate_limited) {
    Response refusal = refusal_of_caller(api, exchange, caller.error());
    co_return co_await exchange.send(std::move(refusal));
  }
  if (!caller) {
    const Error unknown{errc::unauthorized, "This key is not known here.",
                        "Use a key that `scribed keys list` has."};
    co_return co_await send_error(exchange, unknown, "key");
  }
  exchange.name_key(caller->name);
  auto counting = apply_key_limits(api, exchange, *caller, Access::open);
  auto refusal = co_await std::move(counting);
  if (refusal) co_return co_await exchange.send(*std::move(refusal));
  auto ending = api.sessions.end(session_token(exchange));
  co_await std::move(ending);
  auto beginning = api.sessions.begin(hash_of_key(*key), caller->name, now_s());
  const auto token = co_await std::move(beginning);
  if (!token) co_return co_await send_error(exchange, token.error());
  const auto signed_in = api.sessions.find(*token, api.keys, now_s());
  if (!signed_in) co_return co_await send_error(exchange, signed_in.error());
  Response response{.body = session_body(api, *signed_in)};
  response.headers.emplace_back(
      "set-cookie", session_cookie(exchange, *token, static_cast<long>(Sessions::lifetime_s)));
  co_await exchange.send(std::move(response));
}

asio::awaitable<void> end_session(Api& api, ApiCall& call) {
  Exchange& exchange = call.exchange;
  if (const auto own = check_page_origin(exchange); !own) {
    co_return co_await send_error(exchange, own.error());
  }
  auto ending = api.sessions.end(session_token(exchange));
  const auto ended = co_await std::move(ending);
  if (!ended) co_return co_await send_error(exchange, ended.error());
  api.key_watches.tell();  // what is still being answered to this browser ends
  const bool is_open = api.keys.is_open();
  Response response{.body = session_body(
                        api, is_open ? std::optional(*find_caller(api, exchange)) : std::nullopt)};
  response.headers.emplace_back("set-cookie", session_cookie(exchange, "", 0));
  co_await exchange.send(std::move(response));
}

}  // namespace server::api
