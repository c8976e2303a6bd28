#include "server/commands/unfinished_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "server/base/random_id.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Returns the path by which linkat() can name a file that was opened without a name.
std::string path_of_fd(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

// Returns no descriptor if the file system, or a machine without /proc, cannot do it.
platform::UniqueFd file_without_name(const fs::path& folder) {
#ifdef O_TMPFILE
  platform::UniqueFd fd(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (fd && ::access(path_of_fd(fd.get()).c_str(), F_OK) == 0) return fd;
#else
  static_cast<void>(folder);
#endif
  return platform::UniqueFd();
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

}  // namespace

UnfinishedFile::UnfinishedFile(fs::path target)
    : target_(std::move(target)), fd_(file_without_name(folder_of(target_))) {
  if (fd_) return;
  name_ = (folder_of(target_) / ".scribed.XXXXXX").string();
  fd_.reset(::mkostemp(name_.data(), O_CLOEXEC));
}

UnfinishedFile::~UnfinishedFile() {
  if (fd_ && !name_.empty()) ::unlink(name_.c_str());
}

int UnfinishedFile::take_any_name() {
  while (name_.empty()) {
    const auto name = (folder_of(target_) / (".scribed." + random_id())).string();
    if (::linkat(AT_FDCWD, path_of_fd(fd()).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) ==
        0) {
      name_ = name;
    } else if (errno != EEXIST) {
      return errno;
    }
  }
  return 0;
}

int UnfinishedFile::replace_target() {
  if (::fsync(fd()) != 0) return errno;
  if (const int failed = take_any_name()) return failed;
  if (::rename(name_.c_str(), target_.c_str()) != 0) return errno;
  fd_.reset();
  return 0;
}

}  // namespace server
