#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/http/listen_address.h"
#include "server/http/stream_socket.h"

namespace server {

namespace asio = boost::asio;

// Listens for a protocol that is not HTTP, and serves each connection in a coroutine, on the
// executor's thread. The objects that `serve` uses must live until closed() has returned.
class StreamListener {
 public:
  struct Settings {
    std::string address{};  // as server.listen has it
    std::size_t connections = 256;
    std::size_t connections_of_one = 64;  // of one address; does not count for loopback
    std::function<asio::awaitable<void>(StreamSocket socket, std::string peer)> serve{};
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
