#include "server/http/listener.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <iterator>
#include <list>
#include <map>

#include "server/base/exhausted.h"
#include "server/http/answer_head.h"
#include "server/http/error_response.h"
#include "server/http/http_connection.h"
#include "server/http/listening_socket.h"
#include "server/http/request_id.h"

namespace server {
namespace {

// The wait until descriptors or memory are likely to be free again, and how many times.
constexpr std::chrono::milliseconds accept_pause{100};
constexpr int most_accept_pauses = 10;

// Sends the refusal in one go or not at all: nobody waits for a client that we have no room for.
void turn_away(StreamSocket& socket, const Error& error) {
  const auto response = error_response(error);
  const AnswerFraming framing{.length = response.body.size(), .keep_alive = false};
  const std::string answer = answer_head(response, framing, new_request_id()) + response.body;
  boost::system::error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(answer), ignored);
  socket.shutdown(asio::socket_base::shutdown_send, ignored);
}

Error too_many_connections() {
  return {errc::too_many_connections, "There are too many connections.",
          "Close some, or try again later."};
}

// A descriptor that is held for clients who come when there is no other.
platform::UniqueFd spare_descriptor() {
  return platform::UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool is_out_of_descriptors(const boost::system::error_code& failure) {
  return failure == asio::error::no_descriptors ||
         failure == boost::system::errc::too_many_files_open_in_system;
}

Result<std::vector<ListeningSocket>> take_over_all(const asio::any_io_executor& executor,
                                                   std::vector<platform::UniqueFd> inherited) {
  std::vector<ListeningSocket> sockets;
  for (auto& one : inherited) {
    auto taken = take_over(executor, std::move(one));
    if (!taken) return taken.error();
    sockets.push_back(*std::move(taken));
  }
  return sockets;
}

Result<std::vector<ListeningSocket>> listen_on_all(const asio::any_io_executor& executor,
                                                   const std::vector<std::string>& addresses) {
  std::vector<ListeningSocket> sockets;
  for (const auto& text : addresses) {
    const auto address = parse_listen_address(text);
    if (!address) return address.error();
    auto opened = listen_on(executor, *address);
    if (!opened) return opened.error();
    std::ranges::move(*opened, std::back_inserter(sockets));
  }
  if (!sockets.empty()) return sockets;
  return Error{errc::usage, "No address to listen on is given.",
               "Give one, such as 127.0.0.1:8080."};
}

}  // namespace

std::size_t connection_limit(const HttpLimits& limits) {
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return limits.connections;
  return std::min<std::size_t>(limits.connections, descriptors.rlim_cur / 2);
}

struct HttpServer::State {
  struct Connection {
    std::shared_ptr<HttpConnection> served;
    std::string network;
  };
  using Connections = std::list<Connection>;

  State(asio::any_io_executor executor, HttpSetup setup)
      : executor(executor), setup(std::move(setup)), news(executor) {}

  bool has_room_for(const Peer& peer, const std::string& network);
  bool make_room(const std::string* network);
  void remove(Connections::iterator place);
  void close_idle();
  static void add(const std::shared_ptr<State>& state, StreamSocket socket);
  static asio::awaitable<void> accept(std::shared_ptr<State> state, std::size_t place);
  void turn_next_away(StreamAcceptor& acceptor);

  asio::any_io_executor executor;
  HttpSetup setup;
  std::size_t max_connections = connection_limit(setup.limits);
  std::vector<ListeningSocket> sockets{};
  Connections connections{};
  std::map<std::string, std::size_t> per_network{};
  platform::UniqueFd spare = spare_descriptor();
  asio::steady_timer news;  // cancelled when the last connection has ended
};

bool HttpServer::State::has_room_for(const Peer& peer, const std::string& network) {
  const auto mine = per_network.find(network);
  const bool is_limited = !peer.address.is_loopback() && !setup.proxies.trusts(peer);
  const bool has_its_share = is_limited && mine != per_network.end() &&
                             mine->second >= setup.limits.connections_per_address;
  if (has_its_share) return make_room(&network);
  return connections.size() < max_connections || make_room(nullptr);
}

// Ends the connection, of that network if one is given, that has waited longest without a whole
// request, so that clients who send none cannot keep others out, nor their neighbours. Returns
// false if all of them work.
bool HttpServer::State::make_room(const std::string* network) {
  HttpConnection* oldest = nullptr;
  for (const auto& connection : connections) {
    if (network != nullptr && connection.network != *network) continue;
    const auto since = connection.served->waits_since();
    if (since && (!oldest || *since < *oldest->waits_since())) oldest = connection.served.get();
  }
  if (oldest) oldest->stop();
  return oldest != nullptr;
}

void HttpServer::State::remove(Connections::iterator place) {
  const auto mine = per_network.find(place->network);
  if (--mine->second == 0) per_network.erase(mine);
  connections.erase(place);
  if (connections.empty()) news.cancel();
}

void HttpServer::State::close_idle() {
  for (const auto& connection : connections) {
    if (connection.served->is_idle()) connection.served->stop();
  }
}

void HttpServer::State::add(const std::shared_ptr<State>& state, StreamSocket socket) {
  const auto peer = peer_of(socket);
  if (!peer) return;  // the client has gone already
  const auto network = client_network(peer->address);
  if (!state->has_room_for(*peer, network)) return turn_away(socket, too_many_connections());
  const auto connection = std::make_shared<HttpConnection>(std::move(socket), *peer, state->setup);
  const auto place = state->connections.insert(state->connections.end(), {connection, network});
  ++state->per_network[network];
  // The state lives until the last connection has ended. An exception ends only its own connection.
  asio::co_spawn(
      state->executor, connection->run(),
      asio::bind_cancellation_slot(connection->stop_slot(),
                                   [state, place](std::exception_ptr) { state->remove(place); }));
}

// Tells the next client that waits that there is no descriptor for it.
void HttpServer::State::turn_next_away(StreamAcceptor& acceptor) {
  spare.reset();
  boost::system::error_code failure;
  acceptor.non_blocking(true, failure);
  StreamSocket socket(executor);
  acceptor.accept(socket, failure);
  if (!failure) turn_away(socket, exhausted_or(EMFILE, {}));
  socket.close(failure);
  spare = spare_descriptor();
}

asio::awaitable<void> HttpServer::State::accept(std::shared_ptr<State> state, std::size_t place) {
  StreamAcceptor& acceptor = state->sockets[place].acceptor;
  asio::steady_timer pause(state->executor);
  int pauses = 0;
  while (true) {
    auto [failure, socket] = co_await acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (!acceptor.is_open()) co_return;
    if (!failure) {
      pauses = 0;
      add(state, std::move(socket));
      continue;
    }
    // Most likely no descriptors are free; asking again at once would only burn the processor.
    if (is_out_of_descriptors(failure) && ++pauses > most_accept_pauses) {
      state->turn_next_away(acceptor);
    }
    pause.expires_after(accept_pause);
    co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
    if (!acceptor.is_open()) co_return;
  }
}

Result<HttpServer> HttpServer::open(asio::any_io_executor executor, Settings settings) {
  HttpSetup setup{.limits = settings.limits,
                  .proxies = std::move(settings.proxies),
                  .dispatch = std::move(settings.dispatch),
                  .on_done = std::move(settings.on_done),
                  .bodies = std::make_unique<BodyRoom>(settings.limits.held_body_bytes,
                                                       settings.limits.body_patience),
                  .starts = std::make_unique<StartQueue>(executor)};
  auto state = std::make_shared<State>(executor, std::move(setup));
  auto sockets = settings.inherited.empty()
                     ? listen_on_all(executor, settings.addresses)
                     : take_over_all(executor, std::move(settings.inherited));
  if (!sockets) return sockets.error();
  state->sockets = *std::move(sockets);
  // The coroutines are detached because each ends when its acceptor is closed.
  for (std::size_t at = 0; at < state->sockets.size(); ++at) {
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
  return state_->sockets.front().address.port;
}

std::vector<ListenAddress> HttpServer::addresses() const {
  std::vector<ListenAddress> found;
  for (const auto& socket : state_->sockets) found.push_back(socket.address);
  return found;
}

std::size_t HttpServer::connections() const {
  return state_->connections.size();
}

void HttpServer::set_limits(const HttpLimits& limits) {
  state_->setup.limits = limits;
  state_->setup.bodies->set_bytes(limits.held_body_bytes);
  state_->max_connections = connection_limit(limits);
}

void HttpServer::stop_accepting() {
  state_->setup.is_ending = true;
  for (auto& socket : state_->sockets) socket.close();
}

void HttpServer::close_idle() {
  state_->close_idle();
}

void HttpServer::close_all() {
  for (const auto& connection : state_->connections) connection.served->stop();
}

asio::awaitable<void> HttpServer::drained() {
  const auto state = state_;
  while (!state->connections.empty()) {
    state->news.expires_at(asio::steady_timer::time_point::max());
    co_await state->news.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

}  // namespace server
