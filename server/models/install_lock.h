#pragma once

#include <filesystem>
#include <string>

#include "platform/unique_fd.h"
#include "server/models/error.h"

namespace server {

// Keeps other processes from installing or removing the same model, or runtime pack. The kernel
// releases the lock when the process ends for any reason; the file stays and means nothing by
// itself.
class InstallLock {
 public:
  // Fails with `busy` at once where another process holds the lock; the error names the process id
  // in the file. `kind` is for that message.
  static StoreResult<InstallLock> acquire(const std::filesystem::path& store_root,
                                          const std::string& name, const char* kind = "model");

  // Removes the file, and its folder if nothing else is in there. The lock is held until the end of
  // this object; whoever waits for it makes a new file.
  void remove_file() const;

 private:
  InstallLock(platform::UniqueFd fd, std::filesystem::path file)
      : fd_(std::move(fd)), file_(std::move(file)) {}

  platform::UniqueFd fd_;
  std::filesystem::path file_;
};

}  // namespace server
