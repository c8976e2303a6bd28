#pragma once

#include <cstdint>
#include <string>

namespace engine {

// How recording decode steps, encodes and prompts goes, all of which are steps here. A failure does
// not end it: `off` says which kind runs as it is for now, and why.
struct GraphState {
  int recorded = 0;           // shapes that are replayed
  std::int64_t replayed = 0;  // steps that were, so far
  std::int64_t plain = 0;     // steps that ran as they are, those that were recorded among them
  int failures = 0;           // recordings that failed
  std::string off;            // "encodes: no memory", until one has worked again; mostly empty
};

}  // namespace engine
