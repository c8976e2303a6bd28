#include "server/process/exec_child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if !defined(__APPLE__)
#include <sched.h>
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/private_fds.h"

namespace server {
namespace {

#if defined(__APPLE__)

// macOS neither keeps a process to some CPUs nor kills one whose parent has ended.
struct CpuBits {};

int stay_on(const std::vector<CpuBits>&) {
  errno = ENOTSUP;
  return -1;
}

void end_with_parent() {}

void close_on_exec_from(int first) {
  const int end = ::getdtablesize();
  for (int fd = first; fd < end; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

std::vector<CpuBits> bits_of(const std::vector<int>& cpus) {
  return std::vector<CpuBits>(cpus.size());
}

#else

using CpuBits = cpu_set_t;

int stay_on(const std::vector<CpuBits>& cpus) {
  return ::sched_setaffinity(0, cpus.size() * sizeof(CpuBits), cpus.data());
}

void end_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void close_on_exec_from(int first) {
  ::close_range(static_cast<unsigned>(first), ~0U, CLOSE_RANGE_CLOEXEC);
}

std::vector<CpuBits> bits_of(const std::vector<int>& cpus) {
  if (cpus.empty()) return {};
  const auto most = static_cast<std::size_t>(*std::ranges::max_element(cpus));
  std::vector<CpuBits> bits(most / CPU_SETSIZE + 1);
  for (const int cpu : cpus) {
    CPU_SET_S(static_cast<std::size_t>(cpu), bits.size() * sizeof(CpuBits), bits.data());
  }
  return bits;
}

#endif

// Everything that the child needs. It is made before the fork, because the child may not allocate.
struct Plan {
  const char* program;
  std::vector<char*> argv;
  std::vector<char*> environment;
  std::vector<PassedDescriptor> descriptors;  // `ours` is replaced by a copy above all targets
  int first_free = 3;                         // the number after the highest target
  int failure_pipe = -1;
  pid_t parent = -1;
  const char* folder = nullptr;
  rlim_t max_memory_bytes = 0;
  rlim_t max_file_bytes = 0;
  std::vector<CpuBits> cpus{};  // one set of bits in several parts; empty: no change
};

[[noreturn]] void give_up(const Plan& plan) {
  const int reason = errno;
  // A failure of this write cannot be reported; the parent then sees the pipe close and the child
  // gone.
  [[maybe_unused]] const auto written = ::write(plan.failure_pipe, &reason, sizeof reason);
  ::_exit(127);
}

void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);  // without `::`, as macOS has a macro of this name
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void place_descriptors(Plan& plan) {
  // The descriptors are first copied above all targets, because the source of one may be the target
  // of another.
  const int above = std::max(plan.first_free, plan.failure_pipe + 1);
  for (auto& passed : plan.descriptors) {
    passed.ours = ::fcntl(passed.ours, F_DUPFD_CLOEXEC, above);
    if (passed.ours < 0) give_up(plan);
  }
  const int pipe = ::fcntl(plan.failure_pipe, F_DUPFD_CLOEXEC, above);
  if (pipe < 0) give_up(plan);
  plan.failure_pipe = pipe;
  for (const auto& passed : plan.descriptors) {
    if (::dup2(passed.ours, passed.childs) < 0) give_up(plan);
  }
  for (int fd = 3; fd < plan.first_free; ++fd) {
    const auto is_it = [fd](const PassedDescriptor& passed) { return passed.childs == fd; };
    if (std::ranges::none_of(plan.descriptors, is_it)) ::close(fd);
  }
  close_on_exec_from(plan.first_free);
}

bool limit_to(decltype(RLIMIT_AS) resource, rlim_t most) {
  const rlimit both{most, most};
  return ::setrlimit(resource, &both) == 0;
}

bool limit(const Plan& plan) {
  if (plan.max_memory_bytes > 0 &&
      !(limit_to(RLIMIT_AS, plan.max_memory_bytes) && limit_to(RLIMIT_CORE, 0))) {
    return false;
  }
  return plan.max_file_bytes == 0 || limit_to(RLIMIT_FSIZE, plan.max_file_bytes);
}

[[noreturn]] void become(Plan& plan) {
  end_with_parent();
  if (::getppid() != plan.parent) ::_exit(127);  // our parent ended before the line above
  reset_signals();
  place_descriptors(plan);
  if (plan.folder != nullptr && ::chdir(plan.folder) != 0) give_up(plan);
  if (!limit(plan) || !(plan.cpus.empty() || stay_on(plan.cpus) == 0)) give_up(plan);
  ::execve(plan.program, plan.argv.data(), plan.environment.data());
  give_up(plan);
}

// Finds the program as execvp() does, but before the fork. Empty: there is none.
std::string find_program(const SpawnRequest& request) {
  const std::string name = request.program.string();
  if (name.find('/') != name.npos) return name;
  constexpr std::string_view variable = "PATH=";
  std::string_view folders = "/usr/local/bin:/usr/bin:/bin";
  const auto is_path = [&](const std::string& entry) { return entry.starts_with(variable); };
  const auto path = std::ranges::find_if(request.environment, is_path);
  if (path != request.environment.end()) folders = std::string_view(*path).substr(variable.size());
  while (!folders.empty()) {
    const auto end = std::min(folders.find(':'), folders.size());
    const auto file = std::filesystem::path(folders.substr(0, end)) / name;
    if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) return file.string();
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return "";
}

}  // namespace

StartedChild exec_child(const SpawnRequest& request) {
  int ends[2];
  if (private_pipe(ends) != 0) return {-1, errno};
  platform::UniqueFd failure(ends[0]), failure_write(ends[1]);
  const platform::UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) return {-1, errno};

  std::string program = find_program(request);
  if (program.empty()) return {-1, ENOENT};
  std::vector<std::string> arguments = request.arguments;
  std::vector<std::string> environment = request.environment;
  Plan plan{program.c_str(), {program.data()}, {}, {{null.get(), 0}, {null.get(), 1}}};
  for (auto& argument : arguments) plan.argv.push_back(argument.data());
  plan.argv.push_back(nullptr);
  for (auto& entry : environment) plan.environment.push_back(entry.data());
  plan.environment.push_back(nullptr);
  for (const auto& passed : request.descriptors) {  // a later one for the same number wins
    plan.descriptors.push_back(passed);
    plan.first_free = std::max(plan.first_free, passed.childs + 1);
  }
  plan.failure_pipe = failure_write.get();
  plan.parent = ::getpid();
  if (!request.folder.empty()) plan.folder = request.folder.c_str();
  plan.max_memory_bytes = request.max_memory_bytes;
  plan.max_file_bytes = request.max_file_bytes;
  plan.cpus = bits_of(request.cpus);

  const pid_t pid = ::fork();
  if (pid < 0) return {-1, errno};
  if (pid == 0) become(plan);
  failure_write.reset();
  int reason = 0;
  ssize_t got = 0;
  while ((got = ::read(failure.get(), &reason, sizeof reason)) < 0 && errno == EINTR) {
  }
  if (got == 0) return {pid, 0};
  ::waitpid(pid, nullptr, 0);
  return {-1, got == sizeof reason ? reason : EIO};
}

}  // namespace server
