#include "server/process/child_process.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "platform/unique_fd.h"
#include "server/base/exhausted.h"
#include "server/base/race.h"
#include "server/process/exit_fd.h"

namespace server {
namespace {

// A process that hangs inside a driver outlives SIGKILL until the driver lets go of it. Waiting for
// that would stop this process too, so it is left to the process that adopts it.
constexpr std::chrono::milliseconds kill_limit{2'000};

bool has_ended_within(int exit_fd, std::chrono::milliseconds limit) {
  pollfd ended{.fd = exit_fd, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&ended, 1, static_cast<int>(limit.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
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
    : pid_(pid), exit_fd_(std::move(executor), exit_fd) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      exit_fd_(std::move(other.exit_fd_)),
      status_(std::move(other.status_)) {}

ChildProcess::~ChildProcess() {
  end();
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
