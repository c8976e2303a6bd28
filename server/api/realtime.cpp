#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "protocol/json_parse.h"
#include "protocol/openai/realtime/adapter.h"
#include "protocol/openai/realtime/session_update.h"
#include "server/api/api.h"
#include "server/api/even_clock.h"
#include "server/api/handlers.h"
#include "server/api/socket_keys.h"
#include "server/base/random_id.h"
#include "server/http/error_response.h"
#include "server/live/live_services.h"
#include "server/live/socket_door.h"
#include "server/sessions/session_store.h"

// OpenAI's Realtime API, as far as it turns speech into text.
namespace server::api {
namespace {

namespace realtime_api = protocol::openai::realtime;

constexpr char subprotocol[] = "realtime";
// An event has up to 15 MiB of sound, which base64 makes a third longer.
constexpr std::size_t most_text = 21 << 20;

// A session expires so long before its connection, so that its client is told.
constexpr std::chrono::seconds time_to_tell{5};

bool asks_for_socket(const http::fields& headers) {
  return boost::beast::iequals(std::string_view(headers[http::field::upgrade]), "websocket");
}

bool speaks_beta(const http::fields& headers) {
  const std::string_view mark = headers["OpenAI-Beta"];
  const std::string_view offered = headers[http::field::sec_websocket_protocol];
  return mark.find("realtime=v1") != mark.npos ||
         offered.find("openai-beta.realtime-v1") != offered.npos;
}

// Returns what the sessions of a secret begin with. It was checked when the secret was made; what
// only another version of scribed takes is left out.
realtime_api::SessionConfig config_of(const ClientSecret& secret) {
  const auto session = protocol::json::parse_object(secret.session);
  if (!session) return {};
  auto config = realtime_api::updated({}, *session);
  return config ? *std::move(config) : realtime_api::SessionConfig();
}

// Azure's clients call the model a deployment.
std::string asked_model(const Exchange& exchange) {
  const auto model = exchange.query("model");
  return model ? *model : exchange.query("deployment").value_or("");
}

// Errors: those of LiveServices::find_model(), of the model that the address names.
Result<realtime_api::RealtimeSetup> setup_for(const Api& api, const ApiCall& call) {
  realtime_api::RealtimeSetup setup;
  setup.seed = random_id();
  if (call.secret) setup.config = config_of(*call.secret);
  if (setup.config.model.empty()) setup.config.model = asked_model(call.exchange);
  setup.find_model = [&live = api.live](const std::string& wanted) {
    return live.find_model(wanted);
  };
  setup.check_languages = [&live = api.live](const std::string& model,
                                             std::span<const std::string> codes) {
    return live.check_languages(model, codes);
  };
  const auto model = setup.find_model(setup.config.model);
  if (!model) return model.error();
  if (setup.config.model.empty()) setup.config.model = *model;
  if (speaks_beta(call.exchange.headers())) setup.revision = realtime_api::Revision::beta;
  setup.options = api.services.options;
  setup.now = even_clock();
  const std::chrono::duration<double> most_time = api.live.settings().most_time - time_to_tell;
  setup.most_session_s = most_time.count();
  return setup;
}

}  // namespace

asio::awaitable<void> realtime(Api& api, ApiCall& call) {
  const http::fields& headers = call.exchange.headers();
  if (!asks_for_socket(headers)) {
    // Pages are not told why a socket was refused, so they ask for the reason without one.
    auto admitting = api.live.admit(call.principal.name);
    const auto place = co_await std::move(admitting);
    if (!place) co_return co_await send_error(call.exchange, place.error());
    Response response = error_response({errc::bad_request, "Live sessions need a WebSocket.",
                                        "Connect to this address with ws:// or wss://."});
    response.status = http::status::upgrade_required;
    response.headers.emplace_back("upgrade", "websocket");
    co_return co_await call.exchange.send(std::move(response));
  }
  // Clients that have offered it end a socket without this answer, and others one with it.
  const bool is_offered = offered_subprotocols(headers).answer == subprotocol;
  SocketOffer offer{.subprotocol = is_offered ? subprotocol : "", .most_text = most_text};
  auto setup = setup_for(api, call);
  if (!setup) co_return co_await send_error(call.exchange, setup.error(), "model");
  std::unique_ptr<protocol::live::Adapter> adapter =
      std::make_unique<realtime_api::RealtimeAdapter>(*std::move(setup));
  std::string principal = call.principal.name;
  co_await serve_socket(api.live, call.exchange, std::move(adapter), std::move(offer),
                        std::move(principal));
}

asio::awaitable<void> realtime_call(Api&, ApiCall& call) {
  const Error error{errc::route_not_found, "This server has no WebRTC.",
                    "Open a WebSocket at /v1/realtime, which has the same events."};
  co_await send_error(call.exchange, error);
}

}  // namespace server::api
