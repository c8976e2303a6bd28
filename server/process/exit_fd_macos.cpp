#include <sys/event.h>

#include <cerrno>
#include <cstdint>

#include "platform/unique_fd.h"
#include "server/process/exit_fd.h"

namespace server {
namespace {

bool add(int queue, struct kevent event) {
  return ::kevent(queue, &event, 1, nullptr, 0, nullptr) == 0;
}

// A child that has ended already can no longer be watched: the queue is made readable by hand.
bool add_ended(int queue) {
  struct kevent own {};
  EV_SET(&own, 0, EVFILT_USER, EV_ADD, 0, 0, nullptr);
  if (!add(queue, own)) return false;
  EV_SET(&own, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, nullptr);
  return add(queue, own);
}

}  // namespace

// Nobody takes the event from the queue, which therefore stays readable. Children do not inherit a
// queue.
int open_exit_fd(pid_t child) {
  platform::UniqueFd queue(::kqueue());
  if (!queue) return -1;
  struct kevent end {};
  EV_SET(&end, static_cast<std::uintptr_t>(child), EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, nullptr);
  if (add(queue.get(), end)) return queue.release();
  if (errno == ESRCH && add_ended(queue.get())) return queue.release();
  const int failure = errno;
  queue.reset();
  errno = failure;
  return -1;
}

}  // namespace server
