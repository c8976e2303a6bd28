#pragma once

#include <string_view>

#include "platform/facts/file_reader.h"

namespace platform {

// Memory of the machine and of this process's control group (both versions).
MemoryFacts read_memory(const FileReader& files);

// /proc/meminfo. Kernels without MemAvailable: what is free and what is cached.
MemoryFacts parse_meminfo(std::string_view text);

// Where /proc/self/cgroup puts this process for the accounting of memory. A mount of version 1 for
// memory goes before version 2, as on systems that have both.
struct MemoryGroup {
  bool version_1 = false;
  std::string path{};  // "/system.slice/scribed.service"; empty: not said
};
MemoryGroup parse_memory_group(std::string_view text);

}  // namespace platform
