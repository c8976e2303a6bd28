#include "server/models/install_lock.h"

#include <fcntl.h>
#include <sys/file.h>
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

}  // namespace

StoreResult<InstallLock> InstallLock::acquire(const std::filesystem::path& store_root,
                                              const std::string& model) {
  const auto folder = partial_folder(store_root);
  if (auto made = make_folder(folder); !made) return made.error();
  const auto path = folder / (model + ".lock");
  platform::UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd) return system_error("cannot open " + path.string(), errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return system_error("cannot lock " + path.string(), errno);
    return StoreError{StoreErrc::busy,
                      "another scribed" + holder(fd.get()) + " is working on the model " + model,
                      "Wait until it is done, then try again."};
  }
  const std::string id = std::to_string(::getpid());
  // The id is only for the message above, so a failure to write it is no failure.
  if (::ftruncate(fd.get(), 0) == 0) (void)!::pwrite(fd.get(), id.data(), id.size(), 0);
  return InstallLock(std::move(fd));
}

}  // namespace server
