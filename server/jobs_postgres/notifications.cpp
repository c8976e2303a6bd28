#include <poll.h>

#include <algorithm>
#include <array>
#include <memory>

#include "server/jobs_postgres/connection.h"
#include "server/jobs_postgres/libpq.h"

// What a connection hears while no statement runs.
namespace server::postgres {

void Connection::wait_for_notification(int wake, std::chrono::steady_clock::time_point deadline) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::steady_clock::now();
  // A day is as good as for ever, and fits.
  const auto until = std::clamp(deadline, now, now + std::chrono::hours(24));
  const auto left = std::chrono::ceil<milliseconds>(until - now);
  std::array<pollfd, 2> ready{
      pollfd{.fd = libpq().socket(connection_.get()), .events = POLLIN, .revents = 0},
      pollfd{.fd = wake, .events = POLLIN, .revents = 0}};
  static_cast<void>(::poll(ready.data(), ready.size(), static_cast<int>(left.count())));
  if (ready[0].revents != 0 && libpq().consume_input(connection_.get()) == 0) lose();
}

bool Connection::is_direct() {
  const auto rows = query("SELECT pg_backend_pid() AS pid");
  return rows[0].integer("pid") == libpq().backend_pid(connection_.get());
}

std::vector<std::string> Connection::notifications() {
  struct Free {
    void operator()(PGnotify* one) const { libpq().freemem(one); }
  };
  std::vector<std::string> texts;
  const int mine = libpq().backend_pid(connection_.get());
  while (const std::unique_ptr<PGnotify, Free> next{libpq().notifies(connection_.get())}) {
    if (next->be_pid != mine) texts.emplace_back(next->extra);
  }
  return texts;
}

}  // namespace server::postgres
