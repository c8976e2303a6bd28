#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/error.h"
#include "platform/unique_fd.h"

namespace engine {

// A file without a name, which vanishes with its owner: it keeps what hours of sound would take too
// much memory for. Any number of threads may read what one has written before.
class SpoolFile {
 public:
  // Makes the file in `folder`, by default $TMPDIR or else /var/tmp, because /tmp is often memory.
  static Result<SpoolFile> create(const std::filesystem::path& folder = default_folder());
  static std::filesystem::path default_folder();

  // `at` is a place in bytes. Fails with out_of_disk where there is no room.
  Result<void> write(std::int64_t at, std::span<const std::byte> bytes);
  Result<void> read(std::int64_t at, std::span<std::byte> bytes) const;

  // Gives the disk back the room of these bytes, which read as zeros from then on. Where the file
  // system cannot, they stay.
  void free(std::int64_t at, std::int64_t bytes);

 private:
  explicit SpoolFile(platform::UniqueFd file) : file_(std::move(file)) {}

  platform::UniqueFd file_;
};

}  // namespace engine
