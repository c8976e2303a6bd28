#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "protocol/live/adapter.h"
#include "server/http/stream_socket.h"
#include "server/live/live_services.h"
#include "server/live/stream_listener.h"

namespace server {

// Speaks an adapter's protocol on a plain stream of bytes, until either end closes it. A place is
// taken with the first session, so a client that only asks what there is needs none. `connection`
// is told that a client without a session is waited for. `live` must outlive the call.
asio::awaitable<void> serve_stream(LiveServices& live, StreamSocket socket,
                                   std::unique_ptr<protocol::live::Adapter> adapter,
                                   std::string peer, std::shared_ptr<StreamConnection> connection);

}  // namespace server
