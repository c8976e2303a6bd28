#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/audio/spool_owners.h"
#include "engine/error.h"
#include "platform/unique_fd.h"

namespace engine {

// A file without a name, which vanishes with its owner: it keeps what hours of sound would take too
// much memory for. Zeros take no disk, so that silence is free. One thread appends; then any number
// may read.
class SpoolFile {
 public:
  // Makes the file in `folder`. Its first 2 MiB, which a clip needs, leave `min_free` bytes of the
  // disk free. A longer file leaves twice as many and its own size, at most 1 GiB, so that a long
  // recording fails before it takes the room of short ones and of uploads. 0 sets no limit. Beyond
  // those 2 MiB all files of an owner who is counted take half of the room that they could have.
  static Result<SpoolFile> create(const std::filesystem::path& folder = default_folder(),
                                  std::int64_t min_free = default_min_free(),
                                  const SpoolOwner& owner = {});
  // Returns $TMPDIR, or else /var/tmp, because /tmp is often memory.
  static std::filesystem::path default_folder();
  // Returns what the daemon has set for this process (platform::spool_min_free); 0 by default.
  static std::int64_t default_min_free();

  // Returns whether the daemon has said that several owners share the disk
  // (platform::spool_is_shared).
  static bool is_shared();

  // Returns the bytes of the disk that a file of `size` bytes leaves free.
  static std::int64_t kept_free(std::int64_t size, std::int64_t min_free);

  // Fails with out_of_disk if there is no room.
  Result<void> append(std::span<const std::byte> bytes);
  // Reads what was appended; `at` is a position in bytes.
  Result<void> read(std::int64_t at, std::span<std::byte> bytes) const;

  // Gives the disk back the room of these bytes, which read as zeros from then on. Where the file
  // system cannot, they stay.
  void free(std::int64_t at, std::int64_t bytes);

 private:
  SpoolFile(platform::UniqueFd file, std::int64_t min_free, const SpoolOwner& owner);

  Result<void> write(std::span<const std::byte> bytes);
  Result<void> check_room(std::int64_t more) const;

  platform::UniqueFd file_;
  std::int64_t min_free_;
  std::unique_ptr<SpoolOwners::Share> share_{};  // nullptr: nobody counts
  std::int64_t size_ = 0;                        // including zeros that are not written
  std::int64_t written_ = 0;                     // excluding them
};

}  // namespace engine
