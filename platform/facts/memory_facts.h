#pragma once

#include <string_view>

#include "platform/facts/file_reader.h"

namespace platform {

// Reads the memory of the machine and of this process's control group (both versions).
MemoryFacts read_memory(const FileReader& files);

// Parses /proc/meminfo. On kernels without MemAvailable, free and cached memory count as available.
MemoryFacts parse_meminfo(std::string_view text);

// The control group in which /proc/self/cgroup accounts for this process's memory. A version 1
// mount for memory goes before version 2, as on systems that have both.
struct MemoryGroup {
  bool version_1 = false;
  std::string path{};  // "/system.slice/scribed.service"; empty: unknown
};
MemoryGroup parse_memory_group(std::string_view text);

}  // namespace platform
