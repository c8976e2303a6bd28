#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <string>

namespace server {

namespace asio = boost::asio;

// Limits how many pieces of work start in one pass of the event loop, such as requests whose header
// was read. Without that limit, a client with N connections has N steps in each pass, and others
// wait for N of them at each step of their own.
//
// Work that cannot start at once waits in a queue. Networks start in turn, and so do the
// credentials of a network. Only the start is limited: work that has started counts no more, so any
// number of requests may wait for a job, upload, or stream events. It is used on the executor's
// thread.
class StartQueue {
 public:
  // A network (client_network(), or a local user), and a hash of what the client signs in with.
  struct Client {
    std::string network{};
    std::size_t credential = 0;
  };

  // Starts in one pass, of all clients. Few enough that a pass of the most expensive short requests
  // takes about a millisecond.
  static constexpr int most_starts = 4;

  explicit StartQueue(asio::any_io_executor executor);

  // Returns when the work may start: at once if no work waits and this pass has starts left. Throws
  // operation_aborted if the call is cancelled before, and leaves the queue.
  asio::awaitable<void> start(Client client);

  // Returns how many calls of start() wait.
  std::size_t waiting() const;

 private:
  struct State;
  class Waiting;

  std::shared_ptr<State> state_;
};

}  // namespace server
