#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <optional>

#include "server/base/error.h"
#include "server/process/exec_child.h"
#include "server/process/exit_status.h"

namespace server {

namespace asio = boost::asio;

// Owns a child process. The child does not outlive its owner for long: the destructor kills it and
// returns at once, and it is reaped when it has ended, at the latest with its io_context. Linux
// kills it when this process, or the thread that spawned it, ends for any reason. On macOS it then
// runs on until its pipes and sockets tell it that we are gone. A process that not even SIGKILL
// ends, as in a driver that hangs, is given up after some seconds.
// Children ignore Ctrl-C and a hangup of the terminal, which reach the whole foreground group: this
// process handles them.
class ChildProcess {
 public:
  static Result<ChildProcess> spawn(asio::any_io_executor executor, const SpawnRequest& request);

  // Takes over a child of this process that another process has made for it (CLONE_PARENT).
  static Result<ChildProcess> adopt(asio::any_io_executor executor, pid_t pid);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }

  // Waits for the end of the process. The call may be cancelled and repeated.
  asio::awaitable<ExitStatus> exited();

  // Waits up to `grace` for the process to end by itself, then kills it. A process that hangs in a
  // driver even then counts as killed.
  asio::awaitable<ExitStatus> exited_within(std::chrono::milliseconds grace);

  void kill() noexcept;

  // Kills the process, and leaves it to be reaped when it has ended (LeftChildren), as the
  // destructor does. It counts as ended.
  void leave() noexcept;

 private:
  ChildProcess(asio::any_io_executor executor, pid_t pid, int exit_fd);
  void end() noexcept;  // kills the process, blocks until it has ended, up to two seconds
  ExitStatus reap();    // blocks until the end

  pid_t pid_;
  asio::posix::stream_descriptor exit_fd_;  // readable once the process has ended
  std::optional<ExitStatus> status_{};      // set when the process was reaped
};

}  // namespace server
