#include "server/http/listener.h"

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <list>
#include <map>

#include "server/http/answer_head.h"
#include "server/http/error_response.h"
#include "server/http/http_connection.h"
#include "server/http/listen_address.h"
#include "server/http/request_id.h"

namespace server {
namespace {

using asio::ip::tcp;

// The wait until descriptors or memory are likely to be free again.
constexpr std::chrono::milliseconds accept_pause{100};

// Sends the refusal in one go or not at all: nobody waits for a client that we have no room for.
void turn_away(tcp::socket& socket) {
  const auto response =
      error_response({errc::too_many_connections, "There are too many connections.",
                      "Close some, or try again later."});
  const AnswerFraming framing{.length = response.body.size(), .keep_alive = false};
  const std::string answer = answer_head(response, framing, new_request_id()) + response.body;
  boost::system::error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(answer), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

Result<tcp::acceptor> listen_on(asio::any_io_executor executor, const tcp::endpoint& endpoint) {
  tcp::acceptor acceptor(executor);
  boost::system::error_code failure;
  acceptor.open(endpoint.protocol(), failure);
  if (!failure) acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
  // Each family has its own address, so that both can be listened on.
  if (!failure && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(true), failure);
  }
  if (!failure) acceptor.bind(endpoint, failure);
  if (!failure) acceptor.listen(tcp::acceptor::max_listen_connections, failure);
  if (!failure) return acceptor;
  const auto where = endpoint.address().to_string() + " port " + std::to_string(endpoint.port());
  const bool is_taken = failure == asio::error::address_in_use;
  return Error{is_taken ? "address_in_use" : errc::cannot_listen,
               "Cannot listen on " + where + ": " + failure.message() + ".",
               "Choose another address or port, or end the program that uses it."};
}

}  // namespace

std::size_t connection_limit(const HttpLimits& limits) {
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return limits.connections;
  return std::min<std::size_t>(limits.connections, descriptors.rlim_cur / 2);
}

struct HttpServer::State {
  using Connections = std::list<std::shared_ptr<HttpConnection>>;

  State(asio::any_io_executor executor, HttpSetup setup)
      : executor(executor), setup(std::move(setup)), news(executor) {}

  bool has_room_for(const asio::ip::address& peer, const std::string& network);
  bool make_room();
  void remove(Connections::iterator place, const std::string& network);
  void close_idle();
  static void add(const std::shared_ptr<State>& state, tcp::socket socket);
  static asio::awaitable<void> accept(std::shared_ptr<State> state, std::size_t acceptor);

  asio::any_io_executor executor;
  HttpSetup setup;
  std::size_t max_connections = connection_limit(setup.limits);
  std::vector<tcp::acceptor> acceptors{};
  std::vector<tcp::endpoint> endpoints{};
  Connections connections{};
  std::map<std::string, std::size_t> per_network{};
  asio::steady_timer news;  // cancelled when the last connection has ended
};

bool HttpServer::State::has_room_for(const asio::ip::address& peer, const std::string& network) {
  const auto mine = per_network.find(network);
  const bool may_come = peer.is_loopback() || setup.proxies.contains(peer) ||
                        mine == per_network.end() ||
                        mine->second < setup.limits.connections_per_address;
  return may_come && (connections.size() < max_connections || make_room());
}

// Ends the connection that has waited longest without a whole request, so that clients who send
// none cannot keep others out. Returns false if all of them work.
bool HttpServer::State::make_room() {
  HttpConnection* oldest = nullptr;
  for (const auto& connection : connections) {
    const auto since = connection->waits_since();
    if (since && (!oldest || *since < *oldest->waits_since())) oldest = connection.get();
  }
  if (oldest) oldest->stop();
  return oldest != nullptr;
}

void HttpServer::State::remove(Connections::iterator place, const std::string& network) {
  const auto mine = per_network.find(network);
  if (--mine->second == 0) per_network.erase(mine);
  connections.erase(place);
  if (connections.empty()) news.cancel();
}

void HttpServer::State::close_idle() {
  for (const auto& connection : connections) {
    if (connection->is_idle()) connection->stop();
  }
}

void HttpServer::State::add(const std::shared_ptr<State>& state, tcp::socket socket) {
  boost::system::error_code failure;
  const auto peer = plain_address(socket.remote_endpoint(failure).address());
  if (failure) return;  // the client has gone already
  const auto network = client_network(peer);
  if (!state->has_room_for(peer, network)) return turn_away(socket);
  const auto connection = std::make_shared<HttpConnection>(std::move(socket), peer, state->setup);
  const auto place = state->connections.insert(state->connections.end(), connection);
  ++state->per_network[network];
  // The state lives until the last connection has ended. An exception ends only its own connection.
  asio::co_spawn(
      state->executor, connection->run(),
      asio::bind_cancellation_slot(connection->stop_slot(),
                                   [state, connection, place, network](std::exception_ptr) {
                                     state->remove(place, network);
                                   }));
}

asio::awaitable<void> HttpServer::State::accept(std::shared_ptr<State> state,
                                                std::size_t acceptor) {
  asio::steady_timer pause(state->executor);
  while (true) {
    auto [failure, socket] =
        co_await state->acceptors[acceptor].async_accept(asio::as_tuple(asio::use_awaitable));
    if (!state->acceptors[acceptor].is_open()) co_return;
    if (!failure) {
      add(state, std::move(socket));
      continue;
    }
    // Most likely no descriptors are free; asking again at once would only burn the processor.
    pause.expires_after(accept_pause);
    co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
    if (!state->acceptors[acceptor].is_open()) co_return;
  }
}

Result<HttpServer> HttpServer::open(asio::any_io_executor executor, Settings settings) {
  HttpSetup setup{.limits = settings.limits,
                  .proxies = std::move(settings.proxies),
                  .dispatch = std::move(settings.dispatch),
                  .on_done = std::move(settings.on_done)};
  auto state = std::make_shared<State>(executor, std::move(setup));
  if (settings.addresses.empty()) {
    return Error{errc::usage, "No address to listen on is given.",
                 "Give one, such as 127.0.0.1:8080."};
  }
  for (const auto& address : settings.addresses) {
    const auto endpoint = parse_listen_address(address);
    if (!endpoint) return endpoint.error();
    auto acceptor = listen_on(executor, *endpoint);
    if (!acceptor) return acceptor.error();
    state->endpoints.push_back(acceptor->local_endpoint());
    state->acceptors.push_back(*std::move(acceptor));
  }
  // The coroutines are detached because each ends when its acceptor is closed.
  for (std::size_t at = 0; at < state->acceptors.size(); ++at) {
    asio::co_spawn(executor, State::accept(state, at), asio::detached);
  }
  return HttpServer(std::move(state));
}

HttpServer::HttpServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

HttpServer::~HttpServer() {
  if (!state_) return;
  stop_accepting();
  close_all();
}

std::uint16_t HttpServer::port() const {
  return state_->endpoints.front().port();
}

const std::vector<tcp::endpoint>& HttpServer::endpoints() const {
  return state_->endpoints;
}

std::size_t HttpServer::connections() const {
  return state_->connections.size();
}

void HttpServer::stop_accepting() {
  state_->setup.is_ending = true;
  boost::system::error_code ignored;
  for (auto& acceptor : state_->acceptors) acceptor.close(ignored);
}

void HttpServer::close_idle() {
  state_->close_idle();
}

void HttpServer::close_all() {
  for (const auto& connection : state_->connections) connection->stop();
}

asio::awaitable<void> HttpServer::drained() {
  const auto state = state_;
  while (!state->connections.empty()) {
    state->news.expires_at(asio::steady_timer::time_point::max());
    co_await state->news.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

}  // namespace server
