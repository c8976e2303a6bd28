#include "server/models/child_program.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "platform/child_environment.h"
#include "platform/unique_fd.h"
#include "server/base/private_fds.h"
#include "server/process/exec_child.h"

namespace server {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept_output = 16 * 1024;

// The memory limit of a program that talks to foreign servers.
constexpr std::uint64_t max_memory_bytes = 4ULL << 30;

SpawnRequest request_of(const ChildProgram& program, int output) {
  SpawnRequest request{
      .program = program.arguments.front(),
      .arguments = {program.arguments.begin() + 1, program.arguments.end()},
      .descriptors = {{.ours = output, .childs = STDOUT_FILENO},
                      {.ours = output, .childs = STDERR_FILENO}},
      .folder = program.folder,  // Python's -m, for one, runs files of its working folder
      .max_memory_bytes = max_memory_bytes,
      .max_file_bytes = program.max_file_bytes};
  // These come first, because of two equal names the first one is read.
  for (const auto& [key, value] : program.environment) {
    request.environment.push_back(key + "=" + value);
  }
  for (auto& entry : platform::child_environment(platform::ChildKind::packages)) {
    request.environment.push_back(std::move(entry));
  }
  return request;
}

// Kills and reaps the child when it goes out of scope without having been waited for.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t id_;
};

}  // namespace

StoreResult<ChildResult> run_child(const ChildProgram& program, const std::stop_token& stop,
                                   const std::function<void()>& on_wait) {
  int ends[2];
  if (private_pipe(ends) != 0) return system_error("cannot make a pipe", errno);
  const platform::UniqueFd reader(ends[0]);
  platform::UniqueFd writer(ends[1]);
  const auto started = exec_child(request_of(program, writer.get()));
  if (started.error_number == ENOENT) return ChildResult{.exit_status = 127};
  if (started.error_number != 0) {
    return system_error("cannot start " + program.arguments[0], started.error_number);
  }
  Child child(started.pid);
  writer.reset();
  ChildResult result;
  const auto deadline = Clock::now() + program.time_limit;
  std::array<char, 4096> buffer;
  while (true) {
    if (stop.stop_requested()) {
      return StoreError{StoreErrc::cancelled, program.arguments[0] + " was stopped", ""};
    }
    if (Clock::now() > deadline) {
      return StoreError{StoreErrc::unreachable,
                        program.arguments[0] + " did not end within " +
                            std::to_string(program.time_limit.count()) + " s",
                        "Check the network, then try again."};
    }
    pollfd readable{reader.get(), POLLIN, 0};
    if (::poll(&readable, 1, 200) < 0 && errno != EINTR) {
      return system_error("cannot wait for " + program.arguments[0], errno);
    }
    if (on_wait) on_wait();
    if (readable.revents == 0) continue;
    const ssize_t got = ::read(reader.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    result.output.append(buffer.data(), static_cast<std::size_t>(got));
    if (result.output.size() > 2 * kept_output) {
      result.output.erase(0, result.output.size() - kept_output);
    }
  }
  result.exit_status = child.wait();
  return result;
}

}  // namespace server
