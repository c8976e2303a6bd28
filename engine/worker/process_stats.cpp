#include "engine/worker/process_stats.h"

#if defined(__APPLE__)
#include <mach/mach.h>
#endif

#include <fstream>
#include <sstream>
#include <string>

namespace engine {

#if defined(__APPLE__)
ProcessStats process_stats() {
  mach_task_basic_info info{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  const auto asked = ::task_info(mach_task_self(), MACH_TASK_BASIC_INFO,
                                 reinterpret_cast<task_info_t>(&info), &count);
  if (asked != KERN_SUCCESS) return {};
  return {.rss_bytes = static_cast<std::int64_t>(info.resident_size),
          .peak_rss_bytes = static_cast<std::int64_t>(info.resident_size_max)};
}
#else
ProcessStats process_stats() {
  ProcessStats stats;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::int64_t kibibytes = 0;
    if (!(words >> key >> kibibytes)) continue;
    if (key == "VmRSS:") stats.rss_bytes = kibibytes * 1024;
    if (key == "VmHWM:") stats.peak_rss_bytes = kibibytes * 1024;
  }
  return stats;
}
#endif

}  // namespace engine
