#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "protocol/jigasi/adapter.h"
#include "server/api/api.h"
#include "server/api/even_clock.h"
#include "server/api/handlers.h"
#include "server/live/live_services.h"
#include "server/live/socket_door.h"

// The socket that Jigasi sends the sound of a conference of Jitsi Meet to. The id in its path is
// the connection's own, and Jigasi's token in the address is not read.
namespace server::api {
namespace {

using protocol::jigasi::JigasiAdapter;

constexpr std::size_t jigasi_text_bytes = 64 * 1024;
constexpr std::size_t jigasi_sound_bytes = 1 << 20;  // of a frame

// Returns a random UUID (RFC 9562, version 4).
std::string new_uuid() {
  std::random_device random;
  std::uniform_int_distribution<std::uint64_t> bits;
  const std::uint64_t high = bits(random), low = bits(random);
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF,
                     high & 0xFFF, (low >> 48 & 0x3FFF) | 0x8000, low & 0xFFFFFFFFFFFF);
}

}  // namespace

asio::awaitable<void> jigasi(Api& api, ApiCall& call) {
  auto model = api.live.find_model("");
  if (!model) co_return co_await send_error(call.exchange, model.error());
  std::unique_ptr<protocol::live::Adapter> adapter = std::make_unique<JigasiAdapter>(
      JigasiAdapter::Setup{.model = *std::move(model),
                           .options = api.services.options,
                           .new_id = new_uuid,
                           .milliseconds_now = [now = even_clock()] {
                             return static_cast<std::int64_t>(1000 * now());
                           }});
  SocketOffer offer{.most_text = jigasi_text_bytes, .most_binary = jigasi_sound_bytes};
  std::string principal = call.principal.name;
  co_await serve_socket(api.live, call.exchange, std::move(adapter), std::move(offer),
                        std::move(principal));
}

}  // namespace server::api
