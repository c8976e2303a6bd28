#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

#include "engine/error.h"

namespace engine {

// Takes in sound as it comes: waits for at least `least` samples, and takes what there is beyond,
// up to all of `samples`. Returns how many; fewer than `least` only at the end.
using ReadSound = std::function<Result<std::size_t>(std::span<float> samples, std::size_t least)>;

// Returns the ReadSound of a pipe of float32 samples. A stop request ends the waiting with
// `cancelled`.
Result<std::size_t> read_samples(int pipe, std::span<float> samples, std::size_t least,
                                 const std::stop_token& stop);

}  // namespace engine
