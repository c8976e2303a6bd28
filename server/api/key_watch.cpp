#include "server/api/key_watch.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

namespace server {
namespace {

using std::chrono::system_clock;

// A clock that counts nanoseconds in 64 bits ends in 2262.
constexpr double last_second = 9e9;

// The clock of time(), by which keys end, may lag behind by a few milliseconds.
constexpr std::chrono::milliseconds lag{100};

system_clock::time_point time_of(const std::optional<double>& until) {
  if (!until || *until > last_second) return system_clock::time_point::max();
  const std::chrono::duration<double> since_1970(*until);
  return system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(since_1970) +
                                  lag);
}

}  // namespace

// Keeps a timer in the list for as long as this object lives.
class KeyWatches::Listed {
 public:
  Listed(std::list<asio::system_timer*>& list, asio::system_timer& timer)
      : list_(list), place_(list.insert(list.end(), &timer)) {}
  Listed(const Listed&) = delete;
  ~Listed() { list_.erase(place_); }

 private:
  std::list<asio::system_timer*>& list_;
  std::list<asio::system_timer*>::iterator place_;
};

asio::awaitable<void> KeyWatches::changed(std::optional<double> until) {
  const auto executor = co_await asio::this_coro::executor;
  asio::system_timer timer(executor, time_of(until));
  const Listed listed(waiting_, timer);
  boost::system::error_code woken;
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer.async_wait(std::move(wait));
}

void KeyWatches::tell() {
  for (auto* timer : waiting_) timer->cancel();
}

}  // namespace server
