#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/system_timer.hpp>
#include <list>
#include <optional>

namespace server {

namespace asio = boost::asio;

// The requests that have to hear when keys change: those that are answered for a while must not
// outlive the key that they came with. It is used on one thread.
class KeyWatches {
 public:
  // Returns when keys have been read again, and at `until` (seconds since 1970), if that is set.
  asio::awaitable<void> changed(std::optional<double> until);

  // Called after keys have been read again.
  void tell();

 private:
  class Listed;

  std::list<asio::system_timer*> waiting_{};  // each is owned by its coroutine
};

}  // namespace server
