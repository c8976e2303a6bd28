#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/http/api_keys.h"
#include "server/http/error_response.h"
#include "server/http/key_proof.h"

namespace server::api {
namespace {

bool is_of_loopback(std::string_view host) {
  return host.starts_with("127.") || host.starts_with("[::1]:") || host == "[::1]" ||
         host == "localhost" || host.starts_with("localhost:");
}

// Whoever stands between this server and its client could show the client our proof as its own.
// Another machine's clients have TLS for that. A proxy of this machine is known by what it says of
// its clients, or by the name that they asked for.
bool is_from_here(const Exchange& exchange) {
  const std::string_view host = exchange.headers()[http::field::host];
  if (!is_of_loopback(exchange.here()) || !(host.empty() || is_of_loopback(host))) return false;
  for (const char* field : {"forwarded", "x-forwarded-for", "x-real-ip", "via"}) {
    if (exchange.headers().count(field) > 0) return false;
  }
  return true;
}

Error elsewhere() {
  return {errc::forbidden, "This server proves itself only to clients on its own machine.",
          "Ask it at an address of loopback, without a proxy."};
}

Error no_challenge() {
  return {errc::usage, "The parameter key_id must have 4 hexadecimal digits, and nonce 32.", ""};
}

Error too_many_ids(std::chrono::seconds wait) {
  return {errc::rate_limited, "Too many wrong keys came from this machine.",
          "Try again in " + std::to_string(wait.count()) + " s."};
}

}  // namespace

// Wrong ids count as wrong keys do: otherwise somebody could ask for the proofs of all keys, and
// try words that people make up as keys against them.
asio::awaitable<void> prove_key(Api& api, ApiCall& call) {
  Exchange& exchange = call.exchange;
  if (!is_from_here(exchange)) {
    const Error refusal = elsewhere();
    co_return co_await send_error(exchange, refusal);
  }
  const std::string id = exchange.query("key_id").value_or("");
  const std::string nonce = exchange.query("nonce").value_or("");
  if (id.size() != 4 || !is_proof_nonce(nonce)) {
    const Error wrong = no_challenge();
    co_return co_await send_error(exchange, wrong);
  }
  const auto now = WrongKeys::Clock::now();
  const KeyHash asked = hash_of_key("id " + id);
  if (const auto wait = api.wrong_keys.wait(exchange.peer(), asked, now)) {
    Response refusal = error_response(too_many_ids(*wait), {}, *wait);
    co_return co_await exchange.send(std::move(refusal));
  }
  const auto proofs = api.keys.proofs(id, nonce, exchange.here());
  if (!proofs.empty()) {
    api.wrong_keys.note_right(exchange.peer(), asked, now);
  } else if (!api.keys.is_open()) {
    api.wrong_keys.note_wrong(exchange.peer(), asked, now);
  }
  const nlohmann::ordered_json body{{"keys_required", !api.keys.is_open()}, {"proofs", proofs}};
  std::string text = protocol::json::dump(body);
  co_await send_json(exchange, std::move(text));
}

}  // namespace server::api
