#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "platform/unique_fd.h"
#include "server/error.h"

namespace server {

// A file that is being written into the spool; removed again unless it is kept.
class SpoolFile {
 public:
  SpoolFile(platform::UniqueFd fd, std::filesystem::path path);
  SpoolFile(SpoolFile&& other) noexcept;
  SpoolFile& operator=(SpoolFile&&) = delete;
  ~SpoolFile();

  // Errors: out_of_disk, io_error.
  Result<void> write(std::span<const char> bytes);
  std::uint64_t size() const { return size_; }

  // The content is on the disk when this returns, which may take a while for a large file; keep()
  // is quick after it. Errors as above.
  Result<void> sync();
  // From now on the file is the caller's. `durable`: it is on the disk when this returns.
  Result<std::filesystem::path> keep(bool durable);

 private:
  platform::UniqueFd fd_;
  std::filesystem::path path_;  // empty: nothing to remove
  std::uint64_t size_ = 0;
  std::uint64_t flushed_ = 0;  // how much the kernel was told to write out
};

// The folder where sound that arrived by a connection lies until its job has ended. Names are
// random; a name that a client gives never becomes a path.
class Spool {
 public:
  // Made with mode 0700 where it does not exist. Errors: io_error.
  static Result<Spool> open(std::filesystem::path folder);

  Result<SpoolFile> create() const;
  // The same bytes under a name of their own (a hard link, so `file` is on the same file system);
  // the name is on the disk when this returns.
  Result<std::filesystem::path> link(const std::filesystem::path& file) const;
  // After a start: removes what no job of `used` (whole paths) refers to. How many files.
  int remove_orphans(std::span<const std::string> used) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;  // absolute
};

}  // namespace server
