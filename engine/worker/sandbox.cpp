#include "engine/worker/sandbox.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <system_error>

#if defined(__linux__)
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#endif

namespace engine {
namespace {

namespace fs = std::filesystem;
using platform::Shield;

Shield forbid_core_file() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return {"limits", false, "setrlimit failed"};
  return {"limits", true, "no core file"};
}

// A decoder that was taken over says for ever that there is sound, and all of it is spooled. So
// much are ninety hours, and more than twice the packed weights of the largest model in float32.
Shield bounded_files() {
  constexpr rlim_t file_bytes = 16ULL << 30;
  rlimit size{};
  ::getrlimit(RLIMIT_FSIZE, &size);
  size.rlim_cur = size.rlim_max = std::min(size.rlim_max, file_bytes);
  ::signal(SIGXFSZ, SIG_IGN);  // then a write fails with EFBIG
  if (::setrlimit(RLIMIT_FSIZE, &size) != 0) return {"file size", false, "setrlimit failed"};
  return {"file size", true, "no file above 16 GiB"};
}

#if defined(__linux__)

// A folder that is written has to be there before the others above it are out of reach.
void make_folders(const std::vector<platform::PathRule>& rules) {
  for (const auto& rule : rules) {
    std::error_code ignored;
    if (rule.use == platform::FileUse::write) fs::create_directories(rule.path, ignored);
  }
}

// Drops what root may do beyond others, but for reading the files of all users and pinning memory.
void drop_capabilities() {
  constexpr auto bit = [](int capability) { return 1U << capability; };
  constexpr std::uint32_t kept =
      bit(CAP_DAC_OVERRIDE) | bit(CAP_DAC_READ_SEARCH) | bit(CAP_IPC_LOCK);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capget, &header, data) != 0) return;
  for (auto& half : data) half.inheritable = 0;
  data[0].effective &= kept;
  data[0].permitted &= kept;
  data[1].effective = data[1].permitted = 0;
  // A process can always ask for fewer.
  ::syscall(SYS_capset, &header, data);
}

struct ReleaseFilter {
  void operator()(void* filter) const noexcept { seccomp_release(filter); }
};

bool forbid(void* filter, int call) {
  const int added = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  return added == 0;
}

// Forbids making a process that is no thread of ours: it could be left behind, and would go on when
// this one is ended. A filter cannot see what clone3 is asked for: the C library takes clone
// instead.
bool forbid_processes(void* filter) {
  const scmp_arg_cmp no_thread = {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0};
  return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, &no_thread) ==
             0 &&
         seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

// Forbids the call unless the argument, a process or an address family, is this one.
bool forbid_other(void* filter, int call, unsigned argument, int value) {
  const scmp_arg_cmp other = {argument, SCMP_CMP_NE, static_cast<std::uint32_t>(value), 0};
  return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), call, 1, &other) == 0;
}

// Behind a Unix socket there may be a service that starts programs, such as the session's bus. They
// are left to GPUs alone: NVIDIA's and AMD's drivers have services behind them.
bool forbid_sockets(void* filter, bool has_gpu) {
  return has_gpu ? forbid_other(filter, SCMP_SYS(socket), 0, AF_UNIX)
                 : forbid(filter, SCMP_SYS(socket));
}

// Drivers make system calls that nobody lists, so what is harmful is forbidden, not the rest
// allowed.
Shield enter_seccomp(bool has_gpu) {
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_ALLOW));
  if (!filter) return {"seccomp", false, "the filter could not be made"};
  bool added = forbid_sockets(filter.get(), has_gpu) && forbid_processes(filter.get());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
    added = forbid_other(filter.get(), call, 0, ::getpid()) && added;
  }
  // The process 0 is whoever calls.
  added = forbid_other(filter.get(), SCMP_SYS(prlimit64), 0, 0) &&
          forbid_other(filter.get(), SCMP_SYS(setpriority), 1, 0) && added;
  for (const int call : {SCMP_SYS(execve),
                         SCMP_SYS(execveat),
                         SCMP_SYS(fork),
                         SCMP_SYS(vfork),
                         SCMP_SYS(ptrace),
                         SCMP_SYS(process_vm_readv),
                         SCMP_SYS(process_vm_writev),
                         SCMP_SYS(pidfd_getfd),
                         SCMP_SYS(pidfd_send_signal),
                         SCMP_SYS(tkill),
                         SCMP_SYS(rt_sigqueueinfo),
                         SCMP_SYS(rt_tgsigqueueinfo),
                         SCMP_SYS(io_uring_setup),
                         SCMP_SYS(bpf),
                         SCMP_SYS(userfaultfd),
                         SCMP_SYS(keyctl),
                         SCMP_SYS(add_key),
                         SCMP_SYS(request_key),
                         SCMP_SYS(open_by_handle_at),
                         SCMP_SYS(mount),
                         SCMP_SYS(umount2),
                         SCMP_SYS(pivot_root),
                         SCMP_SYS(chroot),
                         SCMP_SYS(unshare),
                         SCMP_SYS(setns),
                         SCMP_SYS(kexec_load),
                         SCMP_SYS(init_module),
                         SCMP_SYS(finit_module)}) {
    added = forbid(filter.get(), call) && added;
  }
  if (!added) return {"seccomp", false, "a rule could not be added"};
  if (const int loaded = seccomp_load(filter.get()); loaded != 0) {
    return {"seccomp", false, std::strerror(-loaded)};
  }
  return {"seccomp", true, "no network, no programs, no other processes"};
}

// Landlock and seccomp bind the thread that calls them and those that it starts.
bool has_other_threads() {
  std::error_code unknown;
  const fs::directory_iterator threads("/proc/self/task", unknown);
  return unknown || std::distance(threads, fs::directory_iterator()) != 1;
}

#endif

}  // namespace

void drop_privileges() {
#if defined(__linux__)
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  drop_capabilities();
#endif
  forbid_core_file();
}

std::vector<Shield> enter_sandbox(const Reach& reach) {
  std::vector<Shield> shields{forbid_core_file(), bounded_files()};
#if defined(__linux__)
  if (has_other_threads()) {
    shields.push_back({"landlock", false, "threads were running already"});
    shields.push_back({"seccomp", false, "threads were running already"});
    return shields;
  }
  const auto rules = reachable_paths(reach);
  make_folders(rules);
  shields.push_back(platform::enter_landlock(rules));
  shields.push_back(enter_seccomp(is_gpu(reach.device)));
#else
  (void)reach;
  shields.push_back({"sandbox", false, "this system has none"});
#endif
  return shields;
}

}  // namespace engine
