#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/jobs/store_copy.h"

namespace server {

// Gives a backup piece by piece: a tar archive of the jobs, the recordings that they need, and the
// uploads. The jobs and their recordings are of one moment; an upload that is removed meanwhile is
// left out. Calls block for the disk, on one thread at a time.
class BackupReader {
 public:
  BackupReader(StoreCopy copy, const std::filesystem::path& uploads);

  // Returns the next bytes; none at the end. Errors: io_error.
  Result<std::string> next();

 private:
  // One file of the archive, by what is in it, by its descriptor or by its path.
  struct File {
    std::string name{};
    std::string text{};
    platform::UniqueFd fd{};
    std::filesystem::path path{};
  };

  Result<std::string> begin(File file);
  Result<std::string> read_on();

  std::deque<File> files_{};
  File current_{};
  std::uint64_t left_ = 0;  // bytes of the current file
  std::size_t padding_ = 0;
  bool has_ended_ = false;
};

// The file of the state folder by way of which jobs are copied.
inline constexpr char backup_copy_name[] = "jobs.copy";

// What stands in the first file of a backup, and what that is called.
inline constexpr char backup_version_name[] = "VERSION";
inline constexpr char backup_version[] = "scribed backup 1\n";

}  // namespace server
