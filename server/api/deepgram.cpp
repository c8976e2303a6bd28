#include <memory>
#include <utility>

#include "protocol/deepgram/adapter.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/listen_answers.h"
#include "server/api/received_form.h"
#include "server/api/socket_keys.h"
#include "server/live/live_services.h"
#include "server/live/socket_door.h"
#include "server/submission/helpers.h"

// The socket of Deepgram's /v1/listen.
namespace server::api {
namespace {

namespace deepgram = protocol::deepgram;

constexpr std::size_t listen_text_bytes = 64 * 1024;
constexpr std::size_t listen_sound_bytes = 1 << 20;  // of a frame

Result<deepgram::DeepgramAdapter::Setup> listen_setup(const Api& api, Exchange& exchange) {
  auto settings =
      deepgram::read_listen_query(exchange.query_fields(), deepgram::ListenKind::socket);
  if (!settings) return settings.error();
  auto model = api.live.find_model(settings->model);
  if (!model) return model.error();
  const auto known = api.live.check_languages(*model, {&settings->language, 1});
  if (!known) return known.error();
  tell_of_ignored(api, exchange, settings->ignored);
  return deepgram::DeepgramAdapter::Setup{.settings = *std::move(settings),
                                          .request_id = exchange.trace().request_id,
                                          .created = listen_time(),
                                          .model = *std::move(model),
                                          .options = api.services.options};
}

// Deepgram's SDKs read why a session cannot be only before the upgrade.
asio::awaitable<Result<deepgram::DeepgramAdapter::Setup>> checked_setup(Api& api, ApiCall& call) {
  auto setup = listen_setup(api, call.exchange);
  if (!setup) co_return setup.error();
  protocol::TranscribeOptions needs = setup->options;
  needs.diarize = setup->settings.diarize.value_or(needs.diarize);
  needs.vad_filter = true;  // turns are found by voice activity
  auto requiring = require_helpers(api.services, std::move(needs));
  const auto required = co_await std::move(requiring);
  if (!required) co_return required.error();
  co_return setup;
}

}  // namespace

asio::awaitable<void> listen(Api& api, ApiCall& call) {
  auto checking = checked_setup(api, call);
  auto setup = co_await std::move(checking);
  if (!setup) {
    Response refusal = listen_error(call.exchange, setup.error());
    co_return co_await call.exchange.send(std::move(refusal));
  }
  std::unique_ptr<protocol::live::Adapter> adapter =
      std::make_unique<deepgram::DeepgramAdapter>(*std::move(setup));
  SocketOffer offer{.subprotocol = offered_subprotocols(call.exchange.headers()).answer,
                    .most_text = listen_text_bytes,
                    .most_binary = listen_sound_bytes,
                    .refusal = [&exchange = call.exchange](const Error& error) {
                      return listen_error(exchange, error);
                    }};
  std::string principal = call.principal.name;
  co_await serve_socket(api.live, call.exchange, std::move(adapter), std::move(offer),
                        std::move(principal));
}

}  // namespace server::api
