#include "platform/landlock.h"

#if defined(__linux__)
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "platform/unique_fd.h"
#endif

namespace platform {

#if defined(__linux__)
namespace {

using Rights = std::uint64_t;

// The rights to files; older headers lack some of them.
constexpr Rights write_file = 1 << 1, may_read_file = 1 << 2, read_dir = 1 << 3,
                 remove_dir = 1 << 4, remove_file = 1 << 5, make_dir = 1 << 7, make_file = 1 << 8,
                 cut = 1 << 14, ioctl = 1 << 15;
// Only these rights apply to anything but a folder; the kernel refuses a rule with others.
constexpr Rights of_a_file = write_file | may_read_file | cut | ioctl;

// The newest kernel's structure. Older headers know only the first field, and older kernels get
// only the part that they know.
struct Ruleset {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};

// Returns everything that version `abi` of Landlock can forbid.
Ruleset forbid_all(long abi) {
  constexpr int fs_rights_of_abi[] = {0, 13, 14, 15, 15, 16};
  Ruleset ruleset;
  ruleset.handled_access_fs = (1ULL << fs_rights_of_abi[abi < 5 ? abi : 5]) - 1;
  if (abi >= 4) ruleset.handled_access_net = 0b11;  // TCP bind and connect
  if (abi >= 6) ruleset.scoped = 0b11;              // abstract sockets, and signals to others
  return ruleset;
}

std::size_t size_known_to(long abi) {
  if (abi >= 6) return sizeof(Ruleset);
  return abi >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

Rights rights_of(FileUse use) {
  constexpr Rights reading = may_read_file | read_dir;
  constexpr Rights spooling = reading | write_file | make_file | remove_file;
  switch (use) {
    case FileUse::read:
      return reading;
    case FileUse::device:
      return reading | write_file | ioctl;
    case FileUse::spool:
      return spooling;
    case FileUse::write:
      return spooling | cut | make_dir | remove_dir;
  }
  return 0;
}

bool add(int ruleset, Rights handled, const PathRule& rule) {
  const UniqueFd path(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat facts {};
  if (!path || ::fstat(path.get(), &facts) != 0) return true;
  Rights rights = rights_of(rule.use) & handled;
  if (!S_ISDIR(facts.st_mode)) rights &= of_a_file;
  const landlock_path_beneath_attr beneath{.allowed_access = rights, .parent_fd = path.get()};
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
}

}  // namespace

Shield enter_landlock(std::span<const PathRule> rules) {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) {
    return {"landlock", false, std::string("the kernel has none: ") + std::strerror(errno)};
  }
  const Ruleset ruleset = forbid_all(abi);
  const UniqueFd fd(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &ruleset, size_known_to(abi), 0)));
  if (!fd) return {"landlock", false, std::strerror(errno)};
  for (const auto& rule : rules) {
    if (add(fd.get(), ruleset.handled_access_fs, rule)) continue;
    return {"landlock", false, rule.path.string() + ": " + std::strerror(errno)};
  }
  if (::syscall(SYS_landlock_restrict_self, fd.get(), 0) != 0) {
    return {"landlock", false, std::strerror(errno)};
  }
  return {"landlock", true, "version " + std::to_string(abi)};
}
#else
Shield enter_landlock(std::span<const PathRule>) {
  return {"landlock", false, "this system has none"};
}
#endif

}  // namespace platform
