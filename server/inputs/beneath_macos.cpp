#include <fcntl.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <array>
#include <string_view>
#include <tuple>

#include "server/inputs/beneath.h"

namespace server {

int open_held_folder(const std::filesystem::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW_ANY | O_CLOEXEC);
}

// A path without links and without ".." cannot lead out.
int open_beneath(int folder, const std::filesystem::path& path, std::uint64_t flags) {
  return ::openat(folder, path.c_str(), static_cast<int>(flags) | O_NOFOLLOW_ANY | O_CLOEXEC);
}

bool is_another_mount(int fd, int held) {
  struct ::stat now {
  }, before{};
  struct ::statfs mount {};
  std::array<char, PATH_MAX> path{};
  if (::fstat(fd, &now) != 0 || ::fstat(held, &before) != 0) return false;
  if (::fstatfs(fd, &mount) != 0 || ::fcntl(fd, F_GETPATH, path.data()) != 0) return false;
  const bool is_mount = std::string_view(path.data()) == mount.f_mntonname;
  const auto place = [](const struct ::stat& of) { return std::tuple(of.st_dev, of.st_ino); };
  return is_mount && place(now) != place(before);
}

}  // namespace server
