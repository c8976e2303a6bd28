#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tuple>

#include "server/inputs/beneath.h"

namespace server {
namespace {

int open_at(int folder, const std::filesystem::path& path, std::uint64_t flags,
            std::uint64_t resolve) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = resolve | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how));
}

}  // namespace

int open_held_folder(const std::filesystem::path& folder) {
  return open_at(AT_FDCWD, folder, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
}

int open_beneath(int folder, const std::filesystem::path& path, std::uint64_t flags) {
  return open_at(folder, path, flags, RESOLVE_BENEATH);
}

bool is_another_mount(int fd, int held) {
  struct ::statx now {
  }, before{};
  constexpr unsigned wanted = STATX_INO;
  if (::statx(fd, "", AT_EMPTY_PATH, wanted, &now) != 0) return false;
  if (::statx(held, "", AT_EMPTY_PATH, wanted, &before) != 0) return false;
  const bool is_mount = (now.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  const auto place = [](const struct ::statx& of) {
    return std::tuple(of.stx_dev_major, of.stx_dev_minor, of.stx_ino);
  };
  return is_mount && place(now) != place(before);
}

}  // namespace server
