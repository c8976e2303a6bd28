#pragma once

#include <filesystem>
#include <string>

#include "platform/unique_fd.h"
#include "server/models/error.h"

namespace server {

// Keeps other processes from installing or removing the same model. The kernel releases the lock
// when the process ends for any reason; the file stays and means nothing by itself.
class InstallLock {
 public:
  // Fails with `busy` at once where another process holds the lock; the error names the process id
  // in the file.
  static StoreResult<InstallLock> acquire(const std::filesystem::path& store_root,
                                          const std::string& model);

 private:
  explicit InstallLock(platform::UniqueFd fd) : fd_(std::move(fd)) {}
  platform::UniqueFd fd_;
};

}  // namespace server
