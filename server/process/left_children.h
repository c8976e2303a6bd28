#pragma once

#include <sys/types.h>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <set>

namespace server {

namespace asio = boost::asio;

// Killed children of which nobody wants to know how they ended. Each is reaped as soon as it has
// ended; no thread waits for that, because a process that is killed on a busy machine takes
// hundreds of milliseconds to end. It is a part of an io_context, so it outlives all owners of
// children; the end of the io_context waits for those that are left. It is used on the thread of
// the io_context.
class LeftChildren final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id{};  // Asio finds the service by it
  static constexpr std::size_t most = 256;         // children at once

  explicit LeftChildren(asio::execution_context& context) : service(context) {}

  // Returns false where there are too many, or the io_context is ending: who leaves a child has to
  // wait for its end.
  bool has_room() const { return !is_shut_down_ && children_.size() < most; }
  // Takes a child that was killed, with its exit descriptor.
  void take(pid_t pid, asio::posix::stream_descriptor exit_fd);

 private:
  struct Child {
    Child(pid_t process, asio::posix::stream_descriptor fd)
        : pid(process), exit_fd(std::move(fd)), deadline(exit_fd.get_executor()) {}

    // Blocks until the child has ended, for so long at most.
    void reap_within(std::chrono::milliseconds limit);

    pid_t pid;
    asio::posix::stream_descriptor exit_fd;
    asio::steady_timer deadline;
  };

  void shutdown() override;
  void watch(const std::shared_ptr<Child>& child);

  std::set<std::shared_ptr<Child>> children_{};
  bool is_shut_down_ = false;
};

}  // namespace server
