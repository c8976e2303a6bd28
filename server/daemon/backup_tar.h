#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/error.h"

// A backup is a tar archive (POSIX ustar) of plain files, so that tar can show and unpack it.
namespace server {

inline constexpr std::size_t tar_block_bytes = 512;

struct TarEntry {
  std::string name{};
  std::uint64_t bytes = 0;
};

// Returns the block that stands before an entry's bytes. The name has at most 99 bytes.
std::string tar_head(const TarEntry& entry);

// Parses such a block; nothing: the archive ends here. Errors: damaged_backup, also for what is no
// plain file.
Result<std::optional<TarEntry>> parse_tar_head(std::string_view block);

// Returns how many bytes without meaning follow an entry's own, which fill up its last block.
std::size_t tar_padding(std::uint64_t bytes);

// Returns the two empty blocks that end an archive.
std::string tar_end();

}  // namespace server
