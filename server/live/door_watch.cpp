#include "server/live/door_watch.h"

#include <fmt/format.h>
#include <poll.h>

#include <utility>

namespace server {
namespace {

using std::chrono::seconds;

bool is_over(const std::optional<DoorTimes::Time>& since, seconds limit, DoorTimes::Time now) {
  return since && now - *since >= limit;
}

// Returns whether the client has closed the connection, also where bytes of it are not read yet.
bool has_gone(int client) {
#if defined(POLLRDHUP)
  constexpr short closed = POLLRDHUP;
#else
  constexpr short closed = POLLHUP;
#endif
  pollfd look{.fd = client, .events = closed, .revents = 0};
  return ::poll(&look, 1, 0) > 0 && (look.revents & (closed | POLLHUP | POLLERR)) != 0;
}

}  // namespace

asio::awaitable<Elapsed> watch_door(std::shared_ptr<AdapterDriver> driver, const DoorTimes& times,
                                    DoorLimits limits, int client) {
  DoorTimes::Time pinged = times.begun;
  std::optional<DoorTimes::Time> finishing_since;
  while (true) {
    co_await sleep_for(limits.tick);
    const auto now = DoorTimes::now();
    if (is_over(times.writing_since, limits.write, now)) co_return Elapsed{};
    if (is_over(times.closing_since, limits.close, now)) co_return Elapsed{};
    if (is_over(finishing_since, limits.finish, now)) {
      driver->outbox().close({1008, "the session was too long"});
    }
    if (now - times.begun >= limits.session && !finishing_since) {
      finishing_since = now;
      const auto hours = std::chrono::duration<double, std::ratio<3600>>(limits.session).count();
      driver->finish({1008, fmt::format("a session lasts at most {:g} hours", hours)});
    }
    if (times.is_full && driver->is_streaming() && has_gone(client)) co_return Elapsed{};
    if (times.is_full) continue;
    const auto silent = now - times.alive;
    if (silent >= limits.silence) co_return Elapsed{};
    if (limits.ping > seconds{0} && silent >= limits.ping && now - pinged >= limits.ping) {
      pinged = now;
      driver->outbox().ping();
    }
    driver->tick(std::chrono::duration<double>(now - times.heard).count());
  }
}

}  // namespace server
