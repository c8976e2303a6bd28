#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/http/access_record.h"
#include "server/http/client_address.h"
#include "server/http/exchange.h"
#include "server/http/limits.h"
#include "server/http/listen_address.h"

namespace server {

// Listens on addresses and has each request answered, on the executor's thread.
//
// To end it call stop_accepting(), close_idle(), wait for drained() as long as there is time, then
// close_all() and drained() once more. The objects that handlers use must live until drained() has
// returned.
class HttpServer {
 public:
  // Answers one request. What it throws becomes a 500.
  using Dispatch = std::function<asio::awaitable<void>(Exchange&)>;

  struct Settings {
    std::vector<std::string> addresses{"127.0.0.1:8080"};
    // Sockets that listen already, which a service manager hands over: they take the place of
    // `addresses`.
    std::vector<platform::UniqueFd> inherited{};
    HttpLimits limits{};
    TrustedProxies proxies{};  // not limited by connections_per_address
    Dispatch dispatch{};
    std::function<void(const AccessRecord&)> on_done{};
  };

  // Opens the server, which accepts from now on. Errors: usage (no address), cannot_listen.
  static Result<HttpServer> open(asio::any_io_executor executor, Settings settings);

  HttpServer(HttpServer&&) noexcept = default;
  HttpServer& operator=(HttpServer&&) = delete;
  ~HttpServer();

  std::uint16_t port() const;  // the port of the first address
  // Where it listens: of each name all of its addresses, and no port 0.
  std::vector<ListenAddress> addresses() const;
  std::size_t connections() const;

  // Sets the limits of all connections; those that are there stay.
  void set_limits(const HttpLimits& limits);

  // From now on every connection ends with the answer that it is giving.
  void stop_accepting();
  // Ends the connections that are between two requests.
  void close_idle();
  // Ends all connections, and the handlers that work for them.
  void close_all();
  // Ends when no connection is left.
  asio::awaitable<void> drained();

 private:
  struct State;
  explicit HttpServer(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

// Returns the number of connections that a server takes at once: at most half of the descriptors
// that this process may have. The other half is for jobs: their files, pipes and processes.
std::size_t connection_limit(const HttpLimits& limits);

}  // namespace server
