#include "platform/probe/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "platform/probe/spawn.h"

namespace platform {
namespace {

using namespace std::chrono_literals;
using Clock = Child::Clock;

constexpr std::size_t max_out_bytes = 1 << 20;
constexpr std::size_t max_error_bytes = 4096;

// The wait for the end of a process whose outputs are closed, or that was killed.
constexpr auto patience = 2s;

struct Pipe {
  UniqueFd read{};
  UniqueFd write{};
};

std::optional<Pipe> open_pipe() {
  std::array<int, 2> ends{};
#if defined(__APPLE__)
  if (::pipe(ends.data()) != 0) return {};
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#else
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
#endif
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Returns false when there is nothing to read now, or ever again: `fd` is closed at its end.
bool read_some(UniqueFd& fd, std::string& into) {
  std::array<char, 4096> buffer{};
  const auto got = ::read(fd.get(), buffer.data(), buffer.size());
  if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) fd.reset();
  return got > 0;
}

// Reads what one round of poll() finds; returns at the latest at `deadline`.
void listen(std::vector<Child>& children, Clock::time_point deadline) {
  std::vector<pollfd> polled;
  for (const auto& child : children) {
    const bool wanted = child.talking();
    polled.push_back({wanted ? child.out() : -1, POLLIN, 0});
    polled.push_back({wanted ? child.error() : -1, POLLIN, 0});
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const int timeout = static_cast<int>(std::max<std::int64_t>(0, left.count()));
  if (::poll(polled.data(), polled.size(), timeout) <= 0) return;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (polled[2 * i].revents != 0) children[i].read_out();
    if (polled[2 * i + 1].revents != 0) children[i].read_error();
  }
}

}  // namespace

Child::Child(const ChildCommand& command) {
  auto out = open_pipe();
  auto error = open_pipe();
  if (!out || !error) {
    end_.problem = std::string("cannot open a pipe: ") + std::strerror(errno);
    return;
  }
  const auto spawned = spawn(command, out->write.get(), error->write.get());
  if (spawned.error_number != 0) {
    end_.problem =
        "cannot start " + command.program.string() + ": " + std::strerror(spawned.error_number);
    return;
  }
  pid_ = spawned.pid;
  out_ = std::move(out->read);
  error_ = std::move(error->read);
  ::fcntl(error_.get(), F_SETFL, O_NONBLOCK);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::move(other.out_)),
      error_(std::move(other.error_)),
      end_(std::move(other.end_)) {}

Child::~Child() {
  kill_and_reap();
}

void Child::read_out() {
  read_some(out_, end_.out);
  end_.flooded = end_.out.size() > max_out_bytes;
}

void Child::read_error() {
  // The loop is bounded, so that a child that writes without end does not keep its parent here.
  for (int reads = 0; reads < 64 && read_some(error_, end_.error_tail); ++reads) {
    if (end_.error_tail.size() <= max_error_bytes) continue;
    end_.error_tail.erase(0, end_.error_tail.size() - max_error_bytes);
  }
}

bool Child::reap_until(Clock::time_point deadline) {
  for (;; std::this_thread::sleep_for(1ms)) {
    int status = 0;
    const pid_t reaped = ::waitpid(pid_, &status, WNOHANG);
    if (reaped == pid_ || (reaped < 0 && errno != EINTR)) {
      pid_ = -1;
      if (reaped > 0 && WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
      if (reaped > 0 && WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
      return true;
    }
    if (Clock::now() >= deadline) return false;
    read_error();  // a full pipe would keep the child from ending
  }
}

void Child::kill_and_reap() {
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  if (reap_until(Clock::now() + patience)) return;
  // The child is stuck inside a driver, where not even SIGKILL reaches it. It is reaped when the
  // driver lets go.
  std::thread([pid = std::exchange(pid_, -1)] { ::waitpid(pid, nullptr, 0); }).detach();
}

ChildEnd Child::finish() {
  if (pid_ < 0) return std::move(end_);
  const bool has_said_everything = !talking() && !end_.flooded;
  if (!has_said_everything || !reap_until(Clock::now() + patience)) {
    end_.hung = !end_.flooded;
    kill_and_reap();
    end_.signal.reset();
  }
  read_error();
  return std::move(end_);
}

std::vector<ChildEnd> run_children(const std::vector<ChildCommand>& commands,
                                   std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  std::vector<Child> children(commands.begin(), commands.end());
  const auto busy = [&] { return std::ranges::any_of(children, &Child::talking); };
  while (busy() && Clock::now() < deadline) listen(children, deadline);
  std::vector<ChildEnd> ends;
  for (auto& child : children) ends.push_back(child.finish());
  return ends;
}

}  // namespace platform
