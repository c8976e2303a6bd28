#include <chrono>
#include <ctime>
#include <string>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/openai/realtime/field_values.h"
#include "protocol/openai/realtime/session_json.h"
#include "protocol/openai/realtime/session_update.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/base/random_id.h"
#include "server/live/live_services.h"
#include "server/sessions/client_secrets.h"

// Client secrets: a page or an app gets one from the program that has the key.
namespace server::api {
namespace {

using protocol::openai::realtime::Checked;
using protocol::openai::realtime::Refusal;
using protocol::openai::realtime::SessionConfig;
using protocol::openai::realtime::SessionFacts;
using RealtimeJson = protocol::openai::realtime::Json;

constexpr std::size_t most_secret_body = 64 * 1024;
constexpr int usual_lifetime_s = 600;
constexpr int least_lifetime_s = 10;
constexpr int most_lifetime_s = 7200;

struct SecretWish {
  SessionConfig session{};
  int lifetime_s = usual_lifetime_s;
};

struct MadeSecret {
  std::string value{};
  long long expires_at = 0;
};

asio::awaitable<void> send_refusal(Exchange& exchange, Refusal refusal) {
  const Error error{errc::usage, std::move(refusal.message), ""};
  co_await send_error(exchange, error, refusal.param);
}

// A body that is not there is an empty object.
Checked<nlohmann::json> parse_body(const std::string& body) {
  if (body.empty()) return nlohmann::json::object();
  auto parsed = protocol::json::parse_object(body);
  if (!parsed)
    return Refusal{"invalid_value",
                   "The body must be a JSON object. Send {\"session\": {\"type\": "
                   "\"transcription\"}}, or no body."};
  return *std::move(parsed);
}

// Reads {"expires_after": {"anchor": "created_at", "seconds": 600}, "session": {…}}.
Checked<SecretWish> read_wish(const nlohmann::json& body) {
  using protocol::openai::realtime::find;
  SecretWish wish;
  if (const auto* after = find(body, "expires_after"); after && !after->is_null()) {
    const auto* seconds = after->is_object() ? find(*after, "seconds") : nullptr;
    if (!after->is_object()) {
      return Refusal{"invalid_value", "This must be an object.", "expires_after"};
    }
    if (seconds) {
      const auto read = protocol::openai::realtime::read_whole(*seconds, "expires_after.seconds",
                                                               least_lifetime_s, most_lifetime_s);
      if (!read) return read.error();
      wish.lifetime_s = *read;
    }
  }
  if (const auto* session = find(body, "session"); session && !session->is_null()) {
    auto config = protocol::openai::realtime::updated({}, *session);
    if (!config) return config.error();
    wish.session = *std::move(config);
  }
  return wish;
}

// Errors also say why there could be no session with the model that is wished for.
asio::awaitable<Result<MadeSecret>> make_secret(Api& api, const ApiCall& call, SecretWish wish) {
  if (!wish.session.model.empty()) {
    const auto found = api.live.find_model(wish.session.model);
    if (!found && found.error().code != errc::no_model) co_return found.error();
    const bool has_language = wish.session.language != protocol::openai::realtime::any_language;
    const auto known = found && has_language
                           ? api.live.check_languages(*found, {&wish.session.language, 1})
                           : Result<void>();
    if (!known) co_return known.error();
  }
  const std::time_t now = std::time(nullptr);
  const long long expires_at = static_cast<long long>(now) + wish.lifetime_s;
  ClientSecret secret{.maker = call.principal.name,
                      .key = call.principal.key,
                      .ends = static_cast<double>(expires_at),
                      .session = protocol::openai::realtime::stored_session(wish.session)};
  auto making = api.client_secrets.make(std::move(secret), static_cast<double>(now));
  auto value = co_await std::move(making);
  if (!value) co_return value.error();
  co_return MadeSecret{*std::move(value), expires_at};
}

// Returns the session as it would begin, and what an answer tells of it.
std::pair<SessionConfig, SessionFacts> begun(const Api& api, SessionConfig session,
                                             const MadeSecret& secret) {
  if (session.model.empty()) session.model = api.services.default_model;
  return {std::move(session), {.id = "sess_" + random_id(), .expires_at = secret.expires_at}};
}

}  // namespace

asio::awaitable<void> make_client_secret(Api& api, ApiCall& call) {
  const auto text = co_await call.exchange.read_body(most_secret_body);
  if (!text) co_return co_await send_error(call.exchange, text.error());
  const auto body = parse_body(*text);
  if (!body) co_return co_await send_refusal(call.exchange, body.error());
  const auto wish = read_wish(*body);
  if (!wish) co_return co_await send_refusal(call.exchange, wish.error());
  auto making = make_secret(api, call, *wish);
  const auto secret = co_await std::move(making);
  if (!secret) co_return co_await send_error(call.exchange, secret.error());
  const auto [session, facts] = begun(api, wish->session, *secret);
  const RealtimeJson answer{
      {"value", secret->value},
      {"expires_at", secret->expires_at},
      {"session", protocol::openai::realtime::nested_session(session, facts)}};
  std::string answer_text = protocol::json::dump(answer);
  co_await send_json(call.exchange, std::move(answer_text));
}

asio::awaitable<void> make_flat_session(Api& api, ApiCall& call) {
  const auto text = co_await call.exchange.read_body(most_secret_body);
  if (!text) co_return co_await send_error(call.exchange, text.error());
  const auto body = parse_body(*text);
  if (!body) co_return co_await send_refusal(call.exchange, body.error());
  const auto config = protocol::openai::realtime::updated({}, *body, "");
  if (!config) co_return co_await send_refusal(call.exchange, config.error());
  SecretWish wish{.session = *config};
  auto making = make_secret(api, call, std::move(wish));
  const auto secret = co_await std::move(making);
  if (!secret) co_return co_await send_error(call.exchange, secret.error());
  const auto [session, facts] = begun(api, *config, *secret);
  RealtimeJson answer = protocol::openai::realtime::flat_session(session, facts);
  answer["client_secret"] = {{"value", secret->value}, {"expires_at", secret->expires_at}};
  std::string answer_text = protocol::json::dump(answer);
  co_await send_json(call.exchange, std::move(answer_text));
}

}  // namespace server::api
