#pragma once

#include <cstdint>
#include <filesystem>

namespace platform {

// The stamp by which a changed file is recognised, with links followed. It is 0 for a missing file.
struct FileStamp {
  std::int64_t size = 0;
  std::int64_t modified = 0;  // nanoseconds since 1970

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

FileStamp stamp_of(const std::filesystem::path& path);

}  // namespace platform
