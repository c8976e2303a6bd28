#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "engine/audio/pcm_sink.h"

namespace engine {

// Reads a pipe of float32 samples (16 kHz, mono) to its end, and gives them to each of the
// listeners, in blocks of half a minute. `heard` is told how many seconds have come in, after every
// block, and returns whether more are wanted. Returns the number of samples. The first error of a
// listener ends it, and a stop request does so with `cancelled`.
Result<std::int64_t> listen(int pipe, std::span<PcmSink* const> listeners,
                            const std::function<bool(double seconds)>& heard,
                            const std::stop_token& stop);

}  // namespace engine
