#include "server/process/left_children.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "server/process/exit_fd.h"

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A child that hangs in the kernel for longer is left to the process that adopts it, so that the
// io_context can come to its end.
constexpr milliseconds longest_end{10'000};

}  // namespace

void LeftChildren::Child::reap_within(milliseconds limit) {
  if (!has_ended_within(exit_fd.native_handle(), limit)) return;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void LeftChildren::take(pid_t pid, asio::posix::stream_descriptor exit_fd) {
  const auto child = std::make_shared<Child>(pid, std::move(exit_fd));
  children_.insert(child);
  watch(child);
}

// A handler of a child that is not among the children any more has nothing to do.
void LeftChildren::watch(const std::shared_ptr<Child>& child) {
  child->exit_fd.async_wait(asio::posix::stream_descriptor::wait_read,
                            [this, weak = std::weak_ptr(child)](const auto& failure) {
                              const auto ended = weak.lock();
                              if (failure || !ended) return;
                              ended->reap_within(milliseconds(0));
                              children_.erase(ended);
                            });
  child->deadline.expires_after(longest_end);
  child->deadline.async_wait([this, weak = std::weak_ptr(child)](const auto& failure) {
    if (!failure) children_.erase(weak.lock());
  });
}

void LeftChildren::shutdown() {
  is_shut_down_ = true;
  const auto until = steady_clock::now() + kill_limit;
  for (const auto& child : children_) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
    child->reap_within(std::max(left, milliseconds(0)));
  }
  children_.clear();
}

}  // namespace server
