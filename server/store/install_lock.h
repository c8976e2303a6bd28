#pragma once

#include <filesystem>
#include <string>

#include "platform/unique_fd.h"
#include "server/store/error.h"

namespace server {

// Keeps other processes from installing or removing the same model. The kernel gives the lock back
// when the process ends, however it ends; the file stays and means nothing by itself.
class InstallLock {
 public:
  // Fails with `busy` at once where another process holds it; its id is read from the file.
  static StoreResult<InstallLock> acquire(const std::filesystem::path& store_root,
                                          const std::string& model);

 private:
  explicit InstallLock(platform::UniqueFd fd) : fd_(std::move(fd)) {}
  platform::UniqueFd fd_;
};

}  // namespace server
