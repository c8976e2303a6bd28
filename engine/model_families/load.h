#pragma once

#include <vector>

#include "engine/recognizer/recognizer.h"
#include "platform/landlock.h"
#include "protocol/bench_messages.h"

namespace engine {

// Loads the model at request.model. Blocks for as long as that takes.
Result<LoadedRecognizer> load_recognizer(const LoadRequest& request);

// Does what a Bench message asks for. It blocks the calling thread for seconds, or for minutes with
// large models.
Result<protocol::worker::BenchResult> bench(const protocol::worker::Bench& request);

// Returns the paths that models of any family write to while they run.
std::vector<platform::PathRule> written_paths();

}  // namespace engine
