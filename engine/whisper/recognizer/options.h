#pragma once

#include "engine/error.h"
#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/transcriber/transcription_options.h"
#include "protocol/transcribe_options.h"

namespace engine {

// Checks the options of a message against what the model can do. Fails with invalid_option, naming
// the option and what it may be.
Result<TranscriptionOptions> transcription_options(const protocol::TranscribeOptions& wanted,
                                                   const Tokenizer& tokenizer);

}  // namespace engine
