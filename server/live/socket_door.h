#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "protocol/live/adapter.h"
#include "server/http/error_response.h"
#include "server/http/exchange.h"
#include "server/live/live_services.h"

namespace server {

struct SocketOffer {
  std::string subprotocol{};         // the answer to what the client offers; empty: none
  std::size_t most_text = 64 << 10;  // bytes of a message
  std::size_t most_binary = 1 << 20;
  // Returns how the client reads a refusal that comes before the upgrade.
  std::function<Response(const Error&)> refusal = [](const Error& error) {
    return error_response(error);
  };
};

// Speaks an adapter's protocol on the WebSocket that this request asks for, until either end closes
// it. A refusal comes before the upgrade: no place (LiveServices::admit()), or nothing asked for a
// WebSocket (bad_request). `live` and `exchange` must outlive the call.
asio::awaitable<void> serve_socket(LiveServices& live, Exchange& exchange,
                                   std::unique_ptr<protocol::live::Adapter> adapter,
                                   SocketOffer offer, std::string principal);

}  // namespace server
