#include "server/process/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <utility>

#include "platform/unique_fd.h"
#include "server/base/exhausted.h"
#include "server/base/race.h"
#include "server/process/exit_fd.h"
#include "server/process/left_children.h"

namespace server {
namespace {

LeftChildren& left_children(const asio::any_io_executor& executor) {
  return asio::use_service<LeftChildren>(asio::query(executor, asio::execution::context));
}

Error cannot_start(const std::filesystem::path& program, int error_number) {
  return exhausted_or(
      error_number, {errc::program_missing,
                     "cannot start " + program.string() + ": " + std::strerror(error_number),
                     error_number == ENOENT || error_number == EACCES
                         ? "The installation is incomplete: build or install scribed again, or set "
                           "SCRIBED_LIBEXEC to the folder with its programs."
                         : ""});
}

}  // namespace

Result<ChildProcess> ChildProcess::spawn(asio::any_io_executor executor,
                                         const SpawnRequest& request) {
  const auto started = exec_child(request);
  if (started.error_number != 0) return cannot_start(request.program, started.error_number);
  return adopt(std::move(executor), started.pid);
}

Result<ChildProcess> ChildProcess::adopt(asio::any_io_executor executor, pid_t pid) {
  const int exit_fd = open_exit_fd(pid);
  if (exit_fd >= 0) return ChildProcess(std::move(executor), pid, exit_fd);
  const int failure = errno;
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return exhausted_or(
      failure,
      {errc::internal, std::string("cannot watch a process: ") + std::strerror(failure), ""});
}

ChildProcess::ChildProcess(asio::any_io_executor executor, pid_t pid, int exit_fd)
    : pid_(pid), exit_fd_(std::move(executor), exit_fd) {
  // It has to be there before the io_context ends, which may be what destroys this object.
  left_children(exit_fd_.get_executor());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      exit_fd_(std::move(other.exit_fd_)),
      status_(std::move(other.status_)) {}

ChildProcess::~ChildProcess() {
  leave();
}

void ChildProcess::leave() noexcept {
  if (pid_ < 0 || status_) return;
  kill();
  try {
    const auto executor = exit_fd_.get_executor();
    LeftChildren& left = left_children(executor);
    if (!left.has_room()) return end();
    asio::posix::stream_descriptor exit_fd(executor, exit_fd_.release());
    left.take(pid_, std::move(exit_fd));
    status_ = ExitStatus{.signal = SIGKILL};
  } catch (const std::exception&) {
    end();  // there is no memory
  }
}

void ChildProcess::end() noexcept {
  if (pid_ < 0 || status_) return;
  kill();
  if (has_ended_within(exit_fd_.native_handle(), kill_limit)) reap();
}

void ChildProcess::kill() noexcept {
  // The pid cannot be given to another process until this one is reaped.
  if (pid_ > 0 && !status_) ::kill(pid_, SIGKILL);
}

ExitStatus ChildProcess::reap() {
  if (status_) return *status_;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = from_wait_status(status);
  return *status_;
}

asio::awaitable<ExitStatus> ChildProcess::exited() {
  if (!status_) {
    co_await exit_fd_.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
  }
  co_return reap();
}

asio::awaitable<ExitStatus> ChildProcess::exited_within(std::chrono::milliseconds grace) {
  const auto status = co_await within(grace, exited());
  if (status) co_return *status;
  kill();
  const auto killed = co_await within(kill_limit, exited());
  co_return killed ? *killed : ExitStatus{.signal = SIGKILL};
}

}  // namespace server
