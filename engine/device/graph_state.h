#pragma once

#include <cstdint>
#include <string>

namespace engine {

// How recording goes. A failure does not end it: `off` says why steps run as they are for now.
struct GraphState {
  int recorded = 0;           // shapes that are replayed
  std::int64_t replayed = 0;  // steps that were, so far
  std::int64_t plain = 0;     // steps that ran as they are, those that were recorded among them
  int failures = 0;           // recordings that failed
  std::string off;            // the last failure, while no recording has worked since; mostly empty
};

}  // namespace engine
