#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#include "server/base/error.h"

namespace server {

namespace errc {
inline constexpr char too_many_bytes[] = "too_many_bytes";  // one owner has too many
}

// The most bytes that count before they have come, of a file whose length was announced. Whoever
// announces much and sends nothing keeps nobody else out.
inline constexpr std::uint64_t most_bytes_ahead = 8ULL << 20;

// The kinds of files that count. An upload is also a recording that its job has not decoded yet.
enum class FileKind { upload, audio };

// The bytes of one owner, by what they are.
struct DiskUse {
  std::uint64_t uploads = 0;
  std::uint64_t audio = 0;
  std::uint64_t transcripts = 0;  // with all that belongs to a job or a link besides files

  std::uint64_t total() const { return uploads + audio + transcripts; }
};

// Limits how much of the disk clients take: all together, and each owner. A file counts until its
// last name is gone. Files are known by their inodes, so one with two names counts once. What is
// stored besides files counts as its store says. It may be used from any thread.
class DiskRoom {
 public:
  struct Limits {
    std::uint64_t total = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t per_owner = std::numeric_limits<std::uint64_t>::max();
    std::map<std::string, std::uint64_t> of_owner{};  // of owners who may have less than per_owner
    std::uint64_t min_free = 0;  // bytes of the disk that are left for everything else
    std::function<std::uint64_t()> free_bytes{};  // free bytes of the disk; empty: it is never full
  };

  explicit DiskRoom(Limits limits) : limits_(std::move(limits)) {}

  // Sets the limits for what comes from now on.
  void set_limits(Limits limits);

  // Checks whether this many more bytes would fit now. Errors: too_large (more than anybody may
  // have), too_many_bytes (of this owner), out_of_disk.
  Result<void> check(const std::string& owner, std::uint64_t bytes) const;

  // Notes how many bytes each owner has in a store besides files: texts of jobs with all that
  // belongs to them, and links.
  enum class Kind { jobs, links };
  void set_stored(Kind kind, std::map<std::string, std::uint64_t> bytes);
  // Checks whether this many more bytes may be stored besides files, and returns how many may.
  // Errors: too_many_bytes, out_of_disk.
  Result<std::uint64_t> check_stored(const std::string& owner, std::uint64_t more) const;

  // Return how many bytes an owner may take, all owners together, and what has to stay free.
  std::uint64_t most_of(const std::string& owner) const;
  std::uint64_t most_of_all() const;
  std::uint64_t min_free() const;

  // Returns the bytes that may be used for what scribed could do without: half of each limit and of
  // the free disk, less what is used, so that recordings always find room beside it.
  std::uint64_t spare(const std::string& owner) const;

  // Reserves `bytes` in all for the file, which is new if it is not known. Errors are those of
  // check(), after which nothing has changed; out_of_disk also where the disk has become full
  // meanwhile. A file that is known keeps its owner and its kind.
  Result<void> reserve(ino_t file, const std::string& owner, std::uint64_t bytes,
                       FileKind kind = FileKind::upload);
  // Records that the file has `bytes` and gets no more. The file may also be one that an earlier
  // process has left.
  void settle(ino_t file, const std::string& owner, std::uint64_t bytes,
              FileKind kind = FileKind::upload);
  void give_back(ino_t file);

  std::uint64_t used() const;
  std::uint64_t used_by(const std::string& owner) const;
  DiskUse use_of(const std::string& owner) const;
  // Returns the owners who have something.
  std::map<std::string, DiskUse> use_of_all() const;
  // Returns the free bytes of the disk, 0 where they are not known.
  std::uint64_t free() const;
  // Returns whether less than min_free is left. Bytes that have not come yet do not count.
  bool disk_is_full() const;

 private:
  struct File {
    std::string owner{};
    FileKind kind = FileKind::upload;
    std::uint64_t bytes = 0;
  };

  Result<void> check_locked(const std::string& owner, std::uint64_t more) const;
  std::uint64_t limit_of(const std::string& owner) const;
  bool is_full_locked() const;
  void set_bytes(File& file, std::uint64_t bytes);
  std::uint64_t used_by_locked(const std::string& owner) const;
  DiskUse use_of_locked(const std::string& owner) const;

  mutable std::mutex mutex_{};  // guards what follows
  Limits limits_;
  std::map<ino_t, File> files_{};
  std::map<std::string, DiskUse> by_owner_{};  // of files; `transcripts` is 0
  std::map<Kind, std::map<std::string, std::uint64_t>> stored_{};
  std::uint64_t used_ = 0;  // sum over all files, and all that is stored
};

// The error for an owner who would take more than that.
Error too_many_bytes(std::uint64_t limit);

// Returns the free bytes of the file system that holds the folder, for users without privileges; 0
// if that is unknown.
std::uint64_t free_bytes(const std::string& folder);

}  // namespace server
