#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/inputs/disk_room.h"

namespace server {

struct SpoolSettings {
  std::shared_ptr<DiskRoom> room{};  // none: without bounds
  // Hears of what clients are told without the folder's path. Called on any thread.
  std::function<void(const Error&)> on_failure = [](const Error&) {};
};

// A file that is being written into the spool; removed again unless it is kept.
class SpoolFile {
 public:
  SpoolFile(platform::UniqueFd fd, std::filesystem::path path, std::string owner,
            std::shared_ptr<const SpoolSettings> settings);
  SpoolFile(SpoolFile&& other) noexcept;
  SpoolFile& operator=(SpoolFile&&) = delete;
  ~SpoolFile();

  // So many bytes were announced. Errors: those of DiskRoom.
  Result<void> expect(std::uint64_t bytes);
  // Errors: out_of_disk, io_error, and those of DiskRoom.
  Result<void> write(std::span<const char> bytes);
  std::uint64_t size() const { return size_; }

  // Content and name are on the disk when this returns, which may take a while: not for a thread
  // that others wait for. Errors: out_of_disk, io_error.
  Result<void> sync();
  // From now on the file is the caller's.
  std::filesystem::path keep();

 private:
  platform::UniqueFd fd_;
  std::filesystem::path path_;  // empty: nothing to remove
  std::string owner_;
  std::shared_ptr<const SpoolSettings> settings_;
  ino_t inode_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t flushed_ = 0;  // how much the kernel was told to write out
};

// The folder where sound that arrived by a connection lies until its job has ended. Names are
// random; a name that a client gives never becomes a path. Other files in it are left alone.
class Spool {
 public:
  // Made with mode 0700 where it does not exist. Errors: io_error.
  static Result<Spool> open(std::filesystem::path folder, SpoolSettings settings = {});

  // `expected`: how many bytes were announced, 0 where nobody knows. Errors also those of DiskRoom.
  Result<SpoolFile> create(const std::string& owner, std::uint64_t expected) const;
  // The same bytes under a name of their own (a hard link, so `file` is on the same file system).
  Result<std::filesystem::path> link(const std::filesystem::path& file) const;
  // All names are on the disk when this returns. Errors: out_of_disk, io_error.
  Result<void> sync_names() const;
  // A file of this folder, whatever folder its path names. From any thread.
  void remove(const std::filesystem::path& file) const;

  // After a start: it was kept by an earlier process, and counts again.
  void adopt(const std::filesystem::path& file, const std::string& owner) const;
  // After a start: removes what nothing of `used` names, in whatever folder. How many files.
  int remove_orphans(std::span<const std::filesystem::path> used) const;
  // The names of scribed's own files.
  std::vector<std::string> names() const;

  const std::filesystem::path& folder() const { return folder_; }
  const DiskRoom& room() const { return *settings_->room; }

 private:
  Spool(std::filesystem::path folder, platform::UniqueFd fd,
        std::shared_ptr<const SpoolSettings> settings);

  std::filesystem::path folder_;  // absolute
  platform::UniqueFd fd_;
  std::shared_ptr<const SpoolSettings> settings_;
};

}  // namespace server
