#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace server {

struct FileRange {
  std::uint64_t from = 0;
  std::uint64_t bytes = 0;
};

// Writes a range of a file into one that is made by this, and syncs it. False: errno says why, and
// what there is of the copy stays.
bool copy_range(const std::filesystem::path& file, FileRange range,
                const std::filesystem::path& copy);

// Returns what the file has of that range. Nothing: errno says why.
std::optional<std::string> read_range(const std::filesystem::path& file, FileRange range);

}  // namespace server
