#pragma once

#include "engine/whisper/transcriber/transcription_options.h"
#include "engine/worker/job.h"

namespace engine {

// Transcribes what comes out of the pipe while it comes (transcriber/live.h); fills in `done`.
Result<void> transcribe_live_job(const std::string& job, const platform::UniqueFd& pcm,
                                 Runner& runner, const Tokenizer& tokenizer,
                                 const TranscriptionOptions& options, const SendMessage& send,
                                 const std::stop_token& stop, protocol::worker::Done& done);

}  // namespace engine
