#include "server/models/install_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "server/models/staging.h"

namespace server {
namespace {

std::string holder(int fd) {
  char text[32] = {};
  const ssize_t got = ::pread(fd, text, sizeof text - 1, 0);
  return got > 0 ? " (process " + std::string(text, static_cast<std::size_t>(got)) + ")" : "";
}

// Returns whether the open file still has this name: the one before us may have removed it.
bool is_file_at(int fd, const std::filesystem::path& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

constexpr int open_attempts = 5;

}  // namespace

StoreResult<InstallLock> InstallLock::acquire(const std::filesystem::path& store_root,
                                              const std::string& name, const char* kind) {
  const auto folder = partial_folder(store_root);
  const auto path = folder / (name + ".lock");
  platform::UniqueFd fd;
  for (int attempt = 1; !fd; ++attempt) {
    if (auto made = make_folder(folder); !made) return made.error();
    fd.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    const bool vanished = !fd && errno == ENOENT;  // the folder, between the two calls
    if (!fd && !(vanished && attempt < open_attempts)) {
      return system_error("cannot open " + path.string(), errno);
    }
    if (!fd) continue;
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return system_error("cannot lock " + path.string(), errno);
      return StoreError{
          StoreErrc::busy,
          "another scribed" + holder(fd.get()) + " is working on the " + kind + " " + name,
          "Wait until it is done, then try again."};
    }
    if (!is_file_at(fd.get(), path) && attempt < open_attempts) fd.reset();
  }
  const std::string id = std::to_string(::getpid());
  // The id is only for the message above, so a failure to write it is no failure.
  if (::ftruncate(fd.get(), 0) == 0) (void)!::pwrite(fd.get(), id.data(), id.size(), 0);
  return InstallLock(std::move(fd), path);
}

void InstallLock::remove_file() const {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
  std::filesystem::remove(file_.parent_path(), ignored);  // fails where others work
}

}  // namespace server
