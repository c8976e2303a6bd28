#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/runner/runner.h"
#include "engine/whisper/text/tokenizer.h"
#include "protocol/worker_messages.h"

namespace engine {

// The one model of this process, ready to transcribe.
struct LoadedModel {
  std::unique_ptr<const Tokenizer> tokenizer;
  std::unique_ptr<Runner> runner;
  std::vector<std::pair<int, int>> alignment_heads;  // see TranscriptionOptions
  protocol::worker::Loaded summary;                  // for the daemon
  std::string vad_path;                              // of Silero VAD, read when a job wants it
};

// Opens the device, chooses the compute type, reads weights and vocabulary, and where it was asked
// for tries the device before the weights go there. The error is as the daemon gets it.
protocol::Result<LoadedModel> load_model(const protocol::worker::Load& request);

}  // namespace engine
