#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/base/error.h"
#include "server/inputs/disk_room.h"
#include "server/inputs/file_closer.h"

namespace server {

struct SpoolSettings {
  std::shared_ptr<DiskRoom> room{};  // nullptr: there are no limits
  FileKind kind = FileKind::upload;  // as which the files of the folder count
  // False where other processes remove files too: then a file counts while it is being received.
  bool counts_kept = true;
  std::shared_ptr<FileCloser> closer{};  // nullptr: removed files are closed at once
  // Receives errors with the folder's path, which clients do not get. It is called on any thread.
  std::function<void(const Error&)> on_failure = [](const Error&) {};
};

// A file that is being written into the spool. It is removed again unless keep() is called.
class SpoolFile {
 public:
  SpoolFile(platform::UniqueFd fd, std::filesystem::path path, std::string owner,
            std::shared_ptr<const SpoolSettings> settings);
  SpoolFile(SpoolFile&& other) noexcept;
  SpoolFile& operator=(SpoolFile&&) = delete;
  ~SpoolFile();

  // Succeeds if as many bytes as are announced fit now, and reserves the first of them
  // (most_bytes_ahead). Errors: those of DiskRoom.
  Result<void> expect(std::uint64_t bytes);
  // Errors: out_of_disk, io_error, and those of DiskRoom.
  Result<void> write(std::span<const char> bytes);
  std::uint64_t size() const { return size_; }

  // Gives back the descriptor: what was written stays this object's, and nothing is added or
  // synced.
  void close() { fd_.reset(); }
  // Syncs content and name to the disk, which may take a while: do not call it on a thread that
  // others wait for. Errors: out_of_disk, io_error (also where another process has removed it).
  Result<void> sync();
  // Hands the file over to the caller.
  std::filesystem::path keep();

 private:
  platform::UniqueFd fd_;
  std::filesystem::path path_;  // empty: there is nothing to remove
  std::string owner_;
  std::shared_ptr<const SpoolSettings> settings_;
  ino_t inode_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t flushed_ = 0;  // how many bytes the kernel was asked to write out
};

// The folder that keeps sound received over a connection until its job has ended. Names are random;
// a name that a client gives never becomes a path. Other files in it are left alone.
class Spool {
 public:
  // Opens the folder, which is made with mode 0700 if it does not exist. Errors: io_error.
  static Result<Spool> open(std::filesystem::path folder, SpoolSettings settings = {});

  // `expected` is the announced number of bytes; 0: unknown. Errors include those of DiskRoom.
  Result<SpoolFile> create(const std::string& owner, std::uint64_t expected) const;
  // Gives the same bytes a name of their own (a hard link, so `file` is on the same file system).
  Result<std::filesystem::path> link(const std::filesystem::path& file) const;
  // Gives the same bytes that name of an id, where nothing has it yet.
  Result<void> link_as(const std::filesystem::path& file, const std::string& id) const;
  // All names are on the disk when this returns. Errors: out_of_disk, io_error.
  Result<void> sync_names() const;
  // Removes a file of this folder, whatever folder its path names. It may be called from any
  // thread. Returns whether it was there.
  bool remove(const std::filesystem::path& file) const;

  // Counts a file that an earlier process kept, or one that is going to have so many bytes.
  void adopt(const std::filesystem::path& file, const std::string& owner,
             std::uint64_t at_least = 0) const;
  // Removes the files that are not in `used`, whatever folders its paths name, and returns how
  // many. Called after a start. Files that have changed within `age` stay: where other processes
  // use the folder, they may be receiving them.
  int remove_orphans(std::span<const std::filesystem::path> used,
                     std::chrono::seconds age = std::chrono::seconds(0)) const;
  // Returns the names of scribed's own files that have not changed for so long, by the clock that
  // gives files their times: it may be a server's, and this machine's may be wrong.
  std::vector<std::string> names_unchanged_for(std::chrono::seconds age) const;
  // Returns the names of scribed's own files.
  std::vector<std::string> names() const;

  // Tells the log of a failed system call on a file of this folder, and returns the error for
  // clients.
  Error failure(const char* doing, const std::filesystem::path& file, int error_number) const;

  const std::filesystem::path& folder() const { return folder_; }
  bool counts_kept() const { return settings_->counts_kept; }
  DiskRoom& room() const { return *settings_->room; }
  FileKind kind() const { return settings_->kind; }

 private:
  Spool(std::filesystem::path folder, platform::UniqueFd fd,
        std::shared_ptr<const SpoolSettings> settings);
  // Returns the time that a file of the folder would get now; nothing if none can be made.
  std::optional<std::time_t> time_of_files() const;

  std::filesystem::path folder_;  // absolute
  platform::UniqueFd fd_;
  std::shared_ptr<const SpoolSettings> settings_;
};

}  // namespace server
