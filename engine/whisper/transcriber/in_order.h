#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Does one of several independent pieces of work.
using PieceWork =
    std::function<Result<std::vector<Segment>>(std::size_t index, const std::stop_token& stop)>;
using PieceDone = std::function<void(std::size_t index, std::vector<Segment> segments)>;

// Runs work(0) … work(count - 1) on up to `threads` threads of their own, begun in order, and calls
// `done` with each result in order, on the calling thread, as soon as all before it are there.
// The first error ends everything and is returned; what was done before stays done. So does a stop
// request, with `cancelled`. What `work` throws is thrown on.
Result<void> run_in_order(std::size_t count, std::size_t threads, const std::stop_token& stop,
                          const PieceWork& work, const PieceDone& done);

}  // namespace engine
