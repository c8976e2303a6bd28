#pragma once

#include <memory>

#include "engine/runner/runner.h"
#include "engine/text/tokenizer.h"
#include "protocol/worker_messages.h"

namespace engine {

// The one model of this process, ready to transcribe.
struct LoadedModel {
  Tokenizer tokenizer;
  std::unique_ptr<Runner> runner;
  protocol::worker::Loaded summary;  // for the daemon
};

// Chooses device and compute type, reads weights and vocabulary, packs them.
Result<LoadedModel> load_model(const protocol::worker::Load& request);

}  // namespace engine
