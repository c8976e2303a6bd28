#include "server/http/start_queue.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <list>
#include <map>
#include <utility>

#include "server/base/once_event.h"

namespace server {
namespace {

// The calls that wait with one credential, in the order in which they came.
using Line = std::list<OnceEvent*>;

struct Network {
  std::map<std::size_t, Line> lines{};  // by credential; none is empty
  std::size_t last = 0;                 // the credential that started last
};

// Returns the entry after `last`, as if the map were a ring. `map` is not empty.
template <class Map>
typename Map::iterator next_in(Map& map, const typename Map::key_type& last) {
  const auto next = map.upper_bound(last);
  return next == map.end() ? map.begin() : next;
}

}  // namespace

struct StartQueue::State : std::enable_shared_from_this<State> {
  explicit State(asio::any_io_executor executor) : executor(std::move(executor)) {}

  bool may_start() const { return networks.empty() && starts < most_starts; }
  void count_start();
  void start_next();
  void begin_pass();
  void remove(const Client& client, Line::iterator place);

  asio::any_io_executor executor;
  std::map<std::string, Network> networks{};  // with calls that wait
  std::string last{};                         // the network that started last
  int starts = 0;                             // in this pass
  bool has_next_pass = false;                 // begin_pass() is posted; true if a call waits
};

// A call in the queue. It leaves the queue when it starts, or with this object.
class StartQueue::Waiting {
 public:
  Waiting(std::shared_ptr<State> state, Client client)
      : state_(std::move(state)), client_(std::move(client)), started_(state_->executor) {
    Line& line = state_->networks[client_.network].lines[client_.credential];
    place_ = line.insert(line.end(), &started_);
  }
  Waiting(const Waiting&) = delete;
  ~Waiting() {
    if (!started_.has_happened()) state_->remove(client_, place_);
  }

  asio::awaitable<void> wait() { return started_.wait(); }

 private:
  const std::shared_ptr<State> state_;
  const Client client_;
  OnceEvent started_;
  Line::iterator place_{};
};

// The posted call runs after everything that is ready now, so it begins the next pass.
void StartQueue::State::count_start() {
  ++starts;
  if (has_next_pass) return;
  has_next_pass = true;
  asio::post(executor, [weak = weak_from_this()] {
    if (const auto state = weak.lock()) state->begin_pass();
  });
}

void StartQueue::State::begin_pass() {
  has_next_pass = false;
  starts = 0;
  while (!networks.empty() && starts < most_starts) start_next();
}

void StartQueue::State::start_next() {
  const auto network = next_in(networks, last);
  const auto line = next_in(network->second.lines, network->second.last);
  const Client client{network->first, line->first};
  last = client.network;
  network->second.last = client.credential;
  OnceEvent* const started = line->second.front();
  remove(client, line->second.begin());
  started->set();
  count_start();
}

void StartQueue::State::remove(const Client& client, Line::iterator place) {
  const auto network = networks.find(client.network);
  const auto line = network->second.lines.find(client.credential);
  line->second.erase(place);
  if (line->second.empty()) network->second.lines.erase(line);
  if (network->second.lines.empty()) networks.erase(network);
}

StartQueue::StartQueue(asio::any_io_executor executor)
    : state_(std::make_shared<State>(std::move(executor))) {}

asio::awaitable<void> StartQueue::start(Client client) {
  if (state_->may_start()) {
    state_->count_start();
    co_return;
  }
  Waiting waiting(state_, std::move(client));
  auto starting = waiting.wait();
  co_await std::move(starting);
}

std::size_t StartQueue::waiting() const {
  std::size_t count = 0;
  for (const auto& [name, network] : state_->networks) {
    for (const auto& [credential, line] : network.lines) count += line.size();
  }
  return count;
}

}  // namespace server
