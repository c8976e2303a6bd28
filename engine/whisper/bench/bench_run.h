#pragma once

#include "engine/error.h"
#include "protocol/bench_messages.h"

namespace engine {

// Does what a Bench message asks for. Blocks for seconds, or for minutes with large models; on the
// calling thread.
Result<protocol::worker::BenchResult> bench_whisper(const protocol::worker::Bench& request);

}  // namespace engine
