#include "engine/worker/process_stats.h"

#include <fstream>
#include <sstream>
#include <string>

namespace engine {

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

}  // namespace engine
