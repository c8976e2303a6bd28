#include "platform/facts/memory_facts.h"

#include <algorithm>
#include <string>

#include "platform/facts/text.h"

#ifdef __APPLE__
#include <mach/mach.h>
#include <unistd.h>
#endif

namespace platform {
namespace {

// The files of one version of control groups, and its mount points.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* droppable;  // the line of memory.stat for inactive page cache
  std::vector<std::string> mounts;
};

GroupFiles group_files(bool version_1) {
  if (version_1) {
    return {"/memory.limit_in_bytes",
            "/memory.usage_in_bytes",
            "total_inactive_file",
            {"/sys/fs/cgroup/memory"}};
  }
  return {"/memory.max",
          "/memory.current",
          "inactive_file",
          {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}};
}

std::int64_t stat_value(const FileReader& files, const std::string& path, std::string_view key) {
  std::int64_t value = 0;
  files.lines(path, [&](std::string_view line) {
    const auto parts = words(line);
    if (parts.size() != 2 || parts[0] != key) return true;
    value = parse_int(parts[1]).value_or(0);
    return false;
  });
  return value;
}

// Takes the limit of one group if it is lower than the known one. An outer group with the same
// limit wins, because the memory of its other children counts as well.
void take_limit(const FileReader& files, const GroupFiles& names, const std::string& folder,
                MemoryFacts& memory) {
  const auto limit = files.number(folder + names.limit);  // "max" is no number
  const bool limits = limit && *limit >= 0 && *limit < memory.total;
  if (!limits || *limit > memory.limit.value_or(*limit)) return;
  memory.limit = limit;
  memory.in_use.reset();
  if (const auto usage = files.number(folder + names.usage)) {
    const auto cache = stat_value(files, folder + "/memory.stat", names.droppable);
    memory.in_use = std::max<std::int64_t>(0, *usage - std::clamp<std::int64_t>(cache, 0, *usage));
  }
}

// Reads the limits of the group and its parents. A container often sees its own group as the
// mount's root while the path is the host's, so missing folders on the way are skipped.
void read_group(const FileReader& files, MemoryFacts& memory) {
  const auto group = parse_memory_group(files.text("/proc/self/cgroup").value_or(""));
  const auto names = group_files(group.version_1);
  for (const auto& mount : names.mounts) {
    for (std::string path = group.path;; path.resize(path.rfind('/'))) {
      while (path.ends_with('/')) path.pop_back();
      take_limit(files, names, mount + path, memory);
      if (path.find('/') == std::string::npos) break;
    }
  }
}

#ifdef __APPLE__
MemoryFacts read_macos() {
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  MemoryFacts memory{.total = ::sysconf(_SC_PHYS_PAGES) * page};
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (::host_statistics64(::mach_host_self(), HOST_VM_INFO64,
                          reinterpret_cast<host_info64_t>(&pages), &count) == KERN_SUCCESS) {
    memory.available = (pages.free_count + pages.inactive_count) * page;
  }
  return memory;
}
#endif

}  // namespace

std::int64_t MemoryFacts::free() const {
  if (!limit) return available;
  return std::clamp<std::int64_t>(*limit - in_use.value_or(0), 0, available);
}

MemoryFacts parse_meminfo(std::string_view text) {
  MemoryFacts memory;
  std::optional<std::int64_t> available;
  std::int64_t unused = 0;
  std::int64_t cached = 0;
  for (const auto line : split(text, '\n')) {
    const auto parts = words(line);  // "MemTotal:", "32658784", "kB"
    if (parts.size() < 2) continue;
    constexpr std::int64_t most = std::int64_t{1} << 50;  // no sum of bytes overflows
    const auto bytes = std::clamp<std::int64_t>(parse_int(parts[1]).value_or(0), 0, most) * 1024;
    if (parts[0] == "MemTotal:") memory.total = bytes;
    if (parts[0] == "MemAvailable:") available = bytes;
    if (parts[0] == "MemFree:") unused = bytes;
    if (parts[0] == "Cached:") cached = bytes;
  }
  memory.available = std::min(available.value_or(unused + cached), memory.total);
  return memory;
}

MemoryGroup parse_memory_group(std::string_view text) {
  MemoryGroup group;
  for (const auto line : split(text, '\n')) {
    const auto name_at = line.find(':');
    const auto path_at = name_at == line.npos ? line.npos : line.find(':', name_at + 1);
    if (path_at == line.npos) continue;
    const auto controllers = line.substr(name_at + 1, path_at - name_at - 1);
    const std::string path(trim(line.substr(path_at + 1)));
    const auto listed = split(controllers, ',');
    if (std::find(listed.begin(), listed.end(), "memory") != listed.end()) return {true, path};
    if (line.starts_with("0::")) group.path = path;
  }
  return group;
}

MemoryFacts read_memory(const FileReader& files) {
#ifdef __APPLE__
  if (files.this_machine()) return read_macos();
#endif
  auto memory = parse_meminfo(files.text("/proc/meminfo").value_or(""));
  read_group(files, memory);
  return memory;
}

}  // namespace platform
