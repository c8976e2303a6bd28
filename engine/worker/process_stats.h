#pragma once

#include <cstdint>

namespace engine {

// The memory of this process; zeros where the system does not say.
struct ProcessStats {
  std::int64_t rss_bytes = 0;
  std::int64_t peak_rss_bytes = 0;
};

ProcessStats process_stats();

}  // namespace engine
