#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace server {

struct FileRange {
  std::uint64_t from = 0;
  std::uint64_t bytes = 0;
};

// Writes a range of a file into one that is made by this, and syncs it. False: errno says why
// (ECANCELED after a stop), and what there is of the copy stays.
bool copy_range(const std::filesystem::path& file, FileRange range,
                const std::filesystem::path& copy, const std::stop_token& stop);

// Puts the bytes of a file on the disk. False: errno says why.
bool sync_bytes(const std::filesystem::path& file);

// Returns what the file has of that range. Nothing: errno says why.
std::optional<std::string> read_range(const std::filesystem::path& file, FileRange range);

}  // namespace server
