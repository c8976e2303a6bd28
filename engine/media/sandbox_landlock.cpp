#include "engine/media/sandbox.h"

#if defined(__linux__)
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "platform/unique_fd.h"
#endif

namespace engine::media {

#if defined(__linux__)
namespace {

// As the newest kernels have it; older headers know only the first field, and older kernels are
// told only of the part that they know.
struct Ruleset {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};

// Everything that version `abi` of Landlock can forbid, and no rule that allows any of it.
Ruleset forbid_all(long abi) {
  constexpr int fs_rights_of_abi[] = {0, 13, 14, 15, 15, 16};
  Ruleset ruleset;
  ruleset.handled_access_fs = (1ULL << fs_rights_of_abi[abi < 5 ? abi : 5]) - 1;
  if (abi >= 4) ruleset.handled_access_net = 0b11;  // TCP bind and connect
  if (abi >= 6) ruleset.scoped = 0b11;              // abstract sockets and signals of others
  return ruleset;
}

std::size_t size_known_to(long abi) {
  if (abi >= 6) return sizeof(Ruleset);
  return abi >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

}  // namespace

Shield enter_landlock() {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1)
    return {"landlock", false, std::string("the kernel has none: ") + std::strerror(errno)};
  const Ruleset ruleset = forbid_all(abi);
  const platform::UniqueFd fd(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &ruleset, size_known_to(abi), 0)));
  if (!fd || ::syscall(SYS_landlock_restrict_self, fd.get(), 0) != 0) {
    return {"landlock", false, std::strerror(errno)};
  }
  return {"landlock", true, "version " + std::to_string(abi)};
}
#else
Shield enter_landlock() {
  return {"landlock", false, "this system has none"};
}
#endif

}  // namespace engine::media
