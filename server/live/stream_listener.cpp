#include "server/live/stream_listener.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <list>
#include <map>
#include <utility>

#include "server/base/race.h"
#include "server/http/client_address.h"
#include "server/http/listening_socket.h"

namespace server {
namespace {

// The wait until descriptors or memory are likely to be free again.
constexpr std::chrono::milliseconds pause_after_refusal{100};

constexpr std::chrono::milliseconds close_step{20};

}  // namespace

struct StreamListener::State {
  struct Connection {
    std::string network{};
    std::shared_ptr<StreamConnection> served = std::make_shared<StreamConnection>();
    asio::cancellation_signal stop{};
    bool is_stopped = false;
  };
  using Connections = std::list<Connection>;

  State(asio::any_io_executor executor, Settings settings)
      : executor(executor),
        settings(std::move(settings)),
        starts(std::make_shared<StartQueue>(executor)) {}

  bool has_room_for(const Peer& peer, const std::string& network);
  bool make_room(const std::string* network);
  void remove(Connections::iterator place);
  static void add(const std::shared_ptr<State>& state, StreamSocket socket);
  static asio::awaitable<void> accept(std::shared_ptr<State> state, std::size_t place);

  asio::any_io_executor executor;
  Settings settings;
  std::shared_ptr<StartQueue> starts;
  std::vector<ListeningSocket> sockets{};
  Connections connections{};
  std::map<std::string, std::size_t> per_network{};
};

bool StreamListener::State::has_room_for(const Peer& peer, const std::string& network) {
  const auto mine = per_network.find(network);
  const bool has_its_share = !peer.address.is_loopback() && mine != per_network.end() &&
                             mine->second >= settings.connections_of_one;
  if (has_its_share) return make_room(&network);
  return connections.size() < settings.connections || make_room(nullptr);
}

// Ends the connection, of that network if one is given, that has waited longest for its client, so
// that clients who say nothing cannot keep others out, nor their neighbours. Returns false if all
// of them work.
bool StreamListener::State::make_room(const std::string* network) {
  Connection* oldest = nullptr;
  std::optional<StreamConnection::Time> oldest_since;
  for (auto& connection : connections) {
    if (connection.is_stopped || (network != nullptr && connection.network != *network)) continue;
    const auto since = connection.served->waits_since();
    if (!since || (oldest && *since >= *oldest_since)) continue;
    oldest = &connection;
    oldest_since = since;
  }
  if (!oldest) return false;
  oldest->is_stopped = true;
  oldest->stop.emit(asio::cancellation_type::terminal);
  return true;
}

void StreamListener::State::remove(Connections::iterator place) {
  const auto mine = per_network.find(place->network);
  if (--mine->second == 0) per_network.erase(mine);
  connections.erase(place);
}

// A connection without room is closed at once: its protocol has no words for that.
void StreamListener::State::add(const std::shared_ptr<State>& state, StreamSocket socket) {
  const auto peer = peer_of(socket);
  if (!peer) return;  // the client has gone already
  const auto network = client_network(peer->address);
  if (!state->has_room_for(*peer, network)) return;
  const auto place = state->connections.emplace(state->connections.end());
  place->network = network;
  place->served->starts = state->starts;
  ++state->per_network[network];
  // Limits of one client are those of its network. An exception ends only its own connection.
  auto client = peer->by_file() ? peer->name() : network;
  asio::co_spawn(
      state->executor, state->settings.serve(std::move(socket), std::move(client), place->served),
      asio::bind_cancellation_slot(place->stop.slot(),
                                   [state, place](std::exception_ptr) { state->remove(place); }));
}

asio::awaitable<void> StreamListener::State::accept(std::shared_ptr<State> state,
                                                    std::size_t place) {
  StreamAcceptor& acceptor = state->sockets[place].acceptor;
  while (true) {
    auto [failure, socket] = co_await acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (!acceptor.is_open()) co_return;
    if (!failure) {
      add(state, std::move(socket));
      continue;
    }
    co_await sleep_for(pause_after_refusal);
    if (!acceptor.is_open()) co_return;
  }
}

Result<StreamListener> StreamListener::open(asio::any_io_executor executor, Settings settings) {
  const auto address = parse_listen_address(settings.address);
  if (!address) return address.error();
  auto opened = listen_on(executor, *address);
  if (!opened) return opened.error();
  auto state = std::make_shared<State>(executor, std::move(settings));
  state->sockets = *std::move(opened);
  // The coroutines are detached because each ends when its acceptor is closed.
  for (std::size_t at = 0; at < state->sockets.size(); ++at) {
    asio::co_spawn(executor, State::accept(state, at), asio::detached);
  }
  return StreamListener(std::move(state));
}

StreamListener::StreamListener(std::shared_ptr<State> state) : state_(std::move(state)) {}

StreamListener::~StreamListener() {
  if (!state_) return;
  stop_accepting();
  close_all();
}

std::vector<ListenAddress> StreamListener::addresses() const {
  std::vector<ListenAddress> found;
  for (const auto& socket : state_->sockets) found.push_back(socket.address);
  return found;
}

std::size_t StreamListener::connections() const {
  return state_->connections.size();
}

void StreamListener::stop_accepting() {
  for (auto& socket : state_->sockets) socket.close();
}

void StreamListener::close_all() {
  for (auto& connection : state_->connections) {
    connection.stop.emit(asio::cancellation_type::terminal);
  }
}

asio::awaitable<bool> StreamListener::closed(std::chrono::steady_clock::time_point deadline) {
  const auto state = state_;
  while (!state->connections.empty() && std::chrono::steady_clock::now() < deadline) {
    co_await sleep_for(close_step);
  }
  co_return state->connections.empty();
}

}  // namespace server
