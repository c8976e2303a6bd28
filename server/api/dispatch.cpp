#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "server/api/api.h"
#include "server/api/azure_path.h"
#include "server/api/caller.h"
#include "server/api/door_errors.h"
#include "server/api/key_limits.h"
#include "server/api/protected_resource.h"
#include "server/api/query_parameters.h"
#include "server/api/received_form.h"
#include "server/api/route.h"
#include "server/api/socket_keys.h"
#include "server/api/tus_headers.h"
#include "server/http/cors.h"
#include "server/http/error_response.h"
#include "server/http/origin_guard.h"
#include "server/sessions/client_secrets.h"

namespace server {
namespace {

// Returns the right that an access needs; nothing: it is open to everybody.
std::optional<Right> right_for(Access access) {
  switch (access) {
    case Access::open:
      return std::nullopt;
    case Access::read_status:
      return Right::read_status;
    case Access::transcribe:
      return Right::transcribe;
    case Access::manage:
      return Right::manage;
    case Access::back_up:
      return Right::back_up;
  }
  return Right::manage;
}

double seconds_since_1970() {
  return static_cast<double>(std::time(nullptr));
}

// Returns what stands for the key of the request; nullptr: it has a key, or none at all. Client
// secrets are for live sessions of OpenAI's API alone. Errors: those of ClientSecrets::find().
asio::awaitable<Result<std::shared_ptr<const ClientSecret>>> secret_of(Api& api,
                                                                       const Exchange& exchange) {
  std::string key = exchange.path() == "/v1/realtime" ? sent_key(exchange.headers()) : "";
  if (!key.starts_with(ClientSecrets::prefix)) co_return std::shared_ptr<const ClientSecret>();
  auto learning = api.client_secrets.learn(key);
  co_await std::move(learning);
  co_return api.client_secrets.find(key, seconds_since_1970());
}

Result<Principal> check_right(Exchange& exchange, Result<Principal> principal, Access access) {
  const auto right = right_for(access);
  if (principal) exchange.name_key(principal->name);
  if (principal && right && !principal->may(*right)) {
    return Error{errc::forbidden, fmt::format("This key lacks the right {}.", name(*right)),
                 "Use a key that has it."};
  }
  return principal;
}

// `secret` stands for the key of the request; nullptr: it has one itself.
Result<Principal> admit(Api& api, Exchange& exchange, Access access, const ClientSecret* secret) {
  if (access == Access::open) return Principal{};
  auto principal =
      secret ? principal_of(*secret, api.keys, seconds_since_1970()) : admit_caller(api, exchange);
  return check_right(exchange, std::move(principal), access);
}

// The same for a request that was admitted before: an end of its key is no wrong key.
Result<Principal> check_again(const Api& api, ApiCall& call, Access access) {
  const ClientSecret* secret = call.secret.get();
  auto principal = secret ? principal_of(*secret, api.keys, seconds_since_1970())
                          : find_caller(api, call.exchange);
  return check_right(call.exchange, std::move(principal), access);
}

Response denial(const Api& api, const Exchange& exchange, const Error& error, const Route& route) {
  Response response = error.code == errc::rate_limited ? refusal_of_caller(api, exchange, error)
                                                       : challenge(exchange, error, route.access);
  return at_door(exchange, error, std::move(response));
}

asio::awaitable<Elapsed> handle(Api& api, ApiCall& call, const Route& route) {
  co_await route.handler(api, call);
  co_return Elapsed{};
}

// Returns why the request may not go on, as soon as its key has ended or lacks the right.
asio::awaitable<Error> end_of_key(Api& api, ApiCall& call, Access access) {
  std::optional<double> until = call.principal.until;
  while (true) {
    co_await api.key_watches.changed(until);
    const auto principal = check_again(api, call, access);
    if (!principal) co_return principal.error();
    until = principal->until;
  }
}

// An answer that has begun breaks off where its key ends, so that nobody takes it for a whole one.
asio::awaitable<void> handle_while_key_lasts(Api& api, ApiCall& call, const Route& route) {
  auto handling = handle(api, call, route);
  auto ending = end_of_key(api, call, route.access);
  const auto first = co_await race(std::move(handling), std::move(ending));
  if (first.index() == 0) co_return;
  const Error& error = std::get<1>(first);
  if (call.exchange.has_answered()) throw std::runtime_error(error.message);
  Response denied = challenge(call.exchange, error, route.access);
  co_await call.exchange.send(std::move(denied));
}

Error too_many_requests(std::size_t most) {
  return {
      errc::too_many_requests,
      fmt::format("{} of your requests {} being answered already.", most, most == 1 ? "is" : "are"),
      "Try again when some of them are finished."};
}

bool is_shut(const Api& api, const Route& route) {
  return route.door != nullptr && !(api.settings.doors.*route.door);
}

bool is_of_workers(const Route& route) {
  constexpr std::array paths{"/livez", "/readyz", "/metrics"};
  return std::ranges::find(paths, route.path) != paths.end();
}

Error not_of_workers() {
  return {errc::route_not_found,
          "This server is a cluster worker: it serves only /livez, /readyz and /metrics.",
          "Ask a gateway."};
}

// Returns which pages may read the answer. If the route needs a key, every page may: a page without
// a key can do nothing, and a page with one can do what any program with that key can. Routes
// without a key are for listed pages, so that other sites cannot probe a visitor's machine.
Readers readers_of(const Api& api, const RouteMatch& match) {
  const bool is_open = match.route && match.route->access == Access::open;
  return is_open || !api.guard.has_keys() ? Readers::listed : Readers::all;
}

Response wrong_method(const Exchange& exchange, const RouteMatch& match) {
  const Error error{errc::usage, "This path does not take that method.",
                    fmt::format("Use {}.", fmt::join(match.allowed, " or "))};
  Response response = door_error(exchange, error);
  response.status = http::status::method_not_allowed;
  response.headers.emplace_back("allow", fmt::format("{}", fmt::join(match.allowed, ", ")));
  return response;
}

}  // namespace

asio::awaitable<void> dispatch(Api& api, Exchange& exchange) {
  const auto method = asked_method(meant_method(exchange), exchange.headers());
  auto meant = meant_path(exchange.path());
  auto match = find_route(routes(), method, meant.path);
  const Readers readers = readers_of(api, match);
  // No page of another origin reads what a browser's cookie opens, whichever origins are allowed.
  if (!counts_by_cookie(api, exchange)) {
    exchange.add_headers(cors_headers(api.guard, exchange.headers(), readers));
  }
  if (is_about_uploads(exchange)) exchange.add_headers({{"tus-resumable", tus_version}});
  const auto origin = api.guard.check(exchange.headers());
  if (!origin) {
    Response refusal = door_error(exchange, origin.error());
    co_return co_await exchange.send(std::move(refusal));
  }
  if (is_preflight(exchange.method(), exchange.headers())) {
    auto preflight = preflight_answer(api.guard, exchange.headers(), readers);
    if (!preflight) co_return co_await send_error(exchange, preflight.error());
    co_return co_await exchange.send(*std::move(preflight));
  }
  if (api.settings.is_worker && !(match.route && is_of_workers(*match.route))) {
    const Error elsewhere = not_of_workers();
    co_return co_await send_error(exchange, elsewhere);
  }
  if (match.route && is_shut(api, *match.route)) co_return co_await send_not_found(exchange);
  if (!match.route) {
    if (match.pattern.empty()) co_return co_await send_not_found(exchange);
    Response response = wrong_method(exchange, match);
    co_return co_await exchange.send(std::move(response));
  }
  if (const auto version = check_tus_version(exchange); !version) {
    exchange.add_headers({{"tus-version", tus_version}});
    co_return co_await send_error(exchange, version.error());
  }
  if (match.route->access != Access::open) co_await learn_caller(api, exchange);
  auto finding = secret_of(api, exchange);
  auto secret = co_await std::move(finding);
  if (!secret) co_return co_await send_error(exchange, secret.error());
  auto principal = admit(api, exchange, match.route->access, secret->get());
  if (!principal) {
    Response denied = denial(api, exchange, principal.error(), *match.route);
    co_return co_await exchange.send(std::move(denied));
  }
  std::optional<OpenRequest> open;
  if (match.route->access != Access::open) open.emplace(api.open_requests, principal->name);
  if (open && open->number() > api.settings.max_requests_of_one) {
    const Error too_many = too_many_requests(api.settings.max_requests_of_one);
    Response refusal = door_error(exchange, too_many);
    co_return co_await exchange.send(std::move(refusal));
  }
  auto refusal = co_await apply_key_limits(api, exchange, *principal, match.route->access);
  if (refusal) co_return co_await exchange.send(*std::move(refusal));
  if (const auto problem = check_query(*match.route, exchange)) {
    co_return co_await send_form_error(exchange, *problem);
  }
  tell_of_ignored(api, exchange, ignored_query(*match.route, exchange));
  ApiCall call{exchange, *std::move(principal), std::move(match.id), std::move(match.part),
               *std::move(secret)};
  if (!meant.deployment.empty()) call.part = std::move(meant.deployment);
  if (api.keys.is_open() || match.route->access == Access::open) {
    co_await match.route->handler(api, call);
  } else {
    co_await handle_while_key_lasts(api, call, *match.route);
  }
}

asio::awaitable<void> send_error(Exchange& exchange, const Error& error,
                                 std::string_view parameter) {
  return exchange.send(error_response(error, parameter));
}

asio::awaitable<void> send_form_error(Exchange& exchange, const FormError& wrong) {
  return send_error(exchange, wrong.error, wrong.parameter);
}

asio::awaitable<Elapsed> client_left(Exchange& exchange) {
  co_await exchange.gone();
  co_return Elapsed{};
}

Error client_has_left() {
  return {errc::client_gone, "The client has left.", ""};
}

asio::awaitable<void> send_not_found(Exchange& exchange) {
  return send_error(exchange,
                    {errc::route_not_found, fmt::format("There is nothing at {}.", exchange.path()),
                     "See /docs for what there is."});
}

asio::awaitable<void> send_json(Exchange& exchange, std::string body, http::status status) {
  return exchange.send(Response{.status = status, .body = std::move(body)});
}

}  // namespace server
