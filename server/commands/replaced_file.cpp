#include "server/commands/replaced_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "server/commands/unfinished_file.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// A service may read the file by its group, and its folder tells whose it is.
int take_over_access(int fd, const fs::path& file, FileModes modes) {
  struct ::stat old {};
  const bool is_new = ::stat(file.c_str(), &old) != 0;
  if (::fchmod(fd, is_new ? modes.fresh : old.st_mode & modes.kept) != 0) return errno;
  if (is_new && (::geteuid() != 0 || ::stat(file.parent_path().c_str(), &old) != 0)) return 0;
  return ::fchown(fd, old.st_uid, old.st_gid) == 0 ? 0 : errno;
}

}  // namespace

int replace_file(const fs::path& file, std::string_view text, FileModes modes) {
  UnfinishedFile fresh(file);
  if (fresh.fd() < 0) return errno;
  if (const int failed = take_over_access(fresh.fd(), file, modes)) return failed;
  while (!text.empty()) {
    const auto written = ::write(fresh.fd(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fresh.replace_target();
}

}  // namespace server
