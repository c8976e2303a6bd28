#pragma once

#include <cstdint>

#include "engine/torch/placement.h"
#include "engine/whisper/bench/roofline.h"

namespace engine {

// Measures both, each for about budget_s. A CPU multiplies matrices that stay in its caches: by the
// engine's own kernel in int8, as Linear does in the other types. It reads a buffer that is larger
// than them. Throws what libtorch throws.
MachineLimits measure_limits(const Placement& placement, int threads, double budget_s);

// Returns the size of the last level; 0 where nobody tells.
std::int64_t cpu_cache_bytes();

}  // namespace engine
