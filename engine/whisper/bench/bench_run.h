#pragma once

#include "engine/error.h"
#include "protocol/bench_messages.h"

namespace engine {

// Does what a Bench message asks for. It blocks the calling thread for seconds, or for minutes with
// large models.
Result<protocol::worker::BenchResult> bench_whisper(const protocol::worker::Bench& request);

}  // namespace engine
