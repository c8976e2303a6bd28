#include "engine/media/sandbox.h"

#if defined(__linux__)
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#endif

namespace engine::media {

#if defined(__linux__)
namespace {

struct ReleaseFilter {
  void operator()(void* filter) const noexcept { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

bool allow(void* filter, int call) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
}

// Allows a call only with the given value of an argument, which is a descriptor or a process id.
bool allow_with(void* filter, int call, unsigned argument, int value) {
  const scmp_arg_cmp equal = {argument, SCMP_CMP_EQ, static_cast<std::uint32_t>(value), 0};
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &equal) == 0;
}

// Allows memory without execution. A mapping has no descriptor: the input is read, not mapped.
bool allow_memory(void* filter) {
  const scmp_arg_cmp not_executable = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
  const scmp_arg_cmp of_no_file = {3, SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS};
  const scmp_arg_cmp both[] = {not_executable, of_no_file};
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, both) == 0 &&
         seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, &not_executable) ==
             0;
}

// Allows a process to read its own limits, which it needs for more_memory. Setting has a pointer.
bool allow_own_limits(void* filter) {
  const scmp_arg_cmp of_itself = {0, SCMP_CMP_EQ, 0, 0};
  const scmp_arg_cmp sets_nothing = {2, SCMP_CMP_EQ, 0, 0};
  const scmp_arg_cmp both[] = {of_itself, sets_nothing};
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, both) == 0;
}

bool add_allowed(void* filter, const SandboxOptions& options) {
  bool added = true;
  for (const int call :
       {SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
        SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
        SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(rt_sigaction),
        SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
        SCMP_SYS(close), SCMP_SYS(exit), SCMP_SYS(exit_group)}) {
    added = allow(filter, call) && added;
  }
  added = allow_memory(filter) && allow_own_limits(filter) && added;
  for (const int call : {SCMP_SYS(read), SCMP_SYS(pread64)}) {
    added = allow_with(filter, call, 0, STDIN_FILENO) && added;
  }
  // With a report everything is written there, and standard error, which may be somebody's log, is
  // not writable.
  const int words = options.report_fd >= 0 ? options.report_fd : STDERR_FILENO;
  for (const int fd : {STDOUT_FILENO, words}) {
    added = allow_with(filter, SCMP_SYS(write), 0, fd) && added;
  }
  if (options.sound_fd >= 0) {
    added = allow_with(filter, SCMP_SYS(write), 0, options.sound_fd) && added;
  }
  // This is for abort(), which signals its own process.
  return allow_with(filter, SCMP_SYS(tgkill), 0, ::getpid()) && added;
}

// Makes some calls end the process. No decoder has a reason to try one of these, so it has been
// taken over. A call that this architecture lacks cannot be made anyway.
void add_deadly_calls(void* filter) {
  for (const int call : {SCMP_SYS(execve),
                         SCMP_SYS(execveat),
                         SCMP_SYS(fork),
                         SCMP_SYS(vfork),
                         SCMP_SYS(socket),
                         SCMP_SYS(socketpair),
                         SCMP_SYS(connect),
                         SCMP_SYS(bind),
                         SCMP_SYS(ptrace),
                         SCMP_SYS(process_vm_readv),
                         SCMP_SYS(process_vm_writev),
                         SCMP_SYS(io_uring_setup),
                         SCMP_SYS(bpf),
                         SCMP_SYS(userfaultfd),
                         SCMP_SYS(open_by_handle_at),
                         SCMP_SYS(unshare),
                         SCMP_SYS(setns),
                         SCMP_SYS(mount),
                         SCMP_SYS(kexec_load),
                         SCMP_SYS(init_module)}) {
    seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, call, 0);
  }
}

}  // namespace

// Calls that are not listed fail with EPERM instead of ending the process, so that a library that
// looks for an optional file goes on.
Shield enter_seccomp(const SandboxOptions& options) {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  if (!filter) return {"seccomp", false, "the filter could not be made"};
  if (!add_allowed(filter.get(), options)) return {"seccomp", false, "a rule could not be added"};
  add_deadly_calls(filter.get());
  if (const int loaded = seccomp_load(filter.get()); loaded != 0) {
    return {"seccomp", false, std::strerror(-loaded)};
  }
  return {"seccomp", true, "reads the input, writes the PCM and the report"};
}
#else
Shield enter_seccomp(const SandboxOptions&) {
  return {"seccomp", false, "this system has none"};
}
#endif

}  // namespace engine::media
