#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/http/listen_address.h"
#include "server/http/start_queue.h"
#include "server/http/stream_socket.h"

namespace server {

namespace asio = boost::asio;

// The state that a connection and its listener share while the connection is served.
struct StreamConnection {
  using Time = std::chrono::steady_clock::time_point;

  // The queue in which what was read starts to be carried out. All connections have the same.
  std::shared_ptr<StartQueue> starts{};
  // Returns since when the connection has waited for its client; nothing: it has work.
  std::function<std::optional<Time>()> waits_since = [] { return std::optional<Time>(); };
};

// Listens for a protocol that is not HTTP, and serves each connection in a coroutine, on the
// executor's thread. Where there is no room for one more, the connection that has waited longest
// for its client ends. The objects that `serve` uses must live until closed() has returned.
class StreamListener {
 public:
  struct Settings {
    std::string address{};  // as server.listen has it
    std::size_t connections = 256;
    std::size_t connections_of_one = 32;  // of one address; does not count for loopback
    // `client` is whom limits are counted of: an address, the /64 of one of IPv6, or a user.
    std::function<asio::awaitable<void>(StreamSocket socket, std::string client,
                                        std::shared_ptr<StreamConnection> connection)>
        serve{};
  };

  // Opens the listener, which accepts from now on. Errors: usage, cannot_listen, address_in_use.
  static Result<StreamListener> open(asio::any_io_executor executor, Settings settings);

  StreamListener(StreamListener&&) noexcept = default;
  StreamListener& operator=(StreamListener&&) = delete;
  ~StreamListener();

  std::vector<ListenAddress> addresses() const;
  std::size_t connections() const;

  void stop_accepting();
  // Cancels all that is served.
  void close_all();
  // Ends when no connection is left, or at the deadline. Returns whether none is.
  asio::awaitable<bool> closed(std::chrono::steady_clock::time_point deadline);

 private:
  struct State;
  explicit StreamListener(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace server
