#pragma once

#include <cstddef>
#include <span>
#include <stop_token>

#include "engine/error.h"

namespace engine {

// Reads float32 samples from a pipe: waits for at least `least`, and takes what there is beyond, up
// to all of `samples`. Returns how many; fewer than `least` only at the pipe's end. A stop request
// ends the waiting with `cancelled`.
Result<std::size_t> read_samples(int pipe, std::span<float> samples, std::size_t least,
                                 const std::stop_token& stop);

}  // namespace engine
