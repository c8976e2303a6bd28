#include "server/store/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "platform/child_environment.h"
#include "platform/unique_fd.h"

namespace server {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept_output = 16 * 1024;

// Everything the child needs after fork, made before it: there it may call nothing that allocates.
struct Prepared {
  explicit Prepared(const ChildProgram& program)
      : folder(program.folder.c_str()), max_file_bytes(program.max_file_bytes) {
    // The first of two equal names is the one that is read.
    for (const auto& [key, value] : program.environment) settings.push_back(key + "=" + value);
    for (auto& entry : platform::child_environment(platform::ChildKind::packages)) {
      settings.push_back(std::move(entry));
    }
    for (auto& setting : settings) variables.push_back(setting.data());
    variables.push_back(nullptr);
    for (const auto& argument : program.arguments) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
  }
  std::vector<std::string> settings;
  std::vector<char*> variables;
  std::vector<char*> arguments;
  const char* folder;
  rlim_t max_file_bytes;
};

// What a program that speaks with foreign servers may use up.
bool limit(const Prepared& prepared) {
  constexpr rlim_t address_space = 4UL << 30;
  const rlimit memory{address_space, address_space}, no_core{0, 0};
  const rlimit file{prepared.max_file_bytes, prepared.max_file_bytes};
  return ::setrlimit(RLIMIT_AS, &memory) == 0 && ::setrlimit(RLIMIT_CORE, &no_core) == 0 &&
         (prepared.max_file_bytes == 0 || ::setrlimit(RLIMIT_FSIZE, &file) == 0);
}

[[noreturn]] void become(Prepared& prepared, int output, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // it ended before the line above
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  // Python's -m, for one, would run what lies in the working folder.
  if (::chdir(prepared.folder) != 0 || !limit(prepared)) ::_exit(127);
  environ = prepared.variables.data();
  ::execvp(prepared.arguments[0], prepared.arguments.data());
  ::_exit(127);
}

// Ends the child and takes its status when it goes out of scope without having been waited for.
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
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
  const platform::UniqueFd reader(ends[0]);
  platform::UniqueFd writer(ends[1]);
  Prepared prepared(program);
  const pid_t parent = ::getpid();
  const pid_t id = ::fork();
  if (id < 0) return system_error("cannot start " + program.arguments[0], errno);
  if (id == 0) become(prepared, writer.get(), parent);
  Child child(id);
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
