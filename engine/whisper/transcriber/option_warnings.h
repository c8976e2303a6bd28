#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Returns sentences about what of the options has no effect on this recording: prompts that are
// longer than the model reads, and clips that begin behind the end.
//   max_tokens: how many tokens of earlier text the model reads
//   duration_s: of the recording; none where it goes on
std::vector<std::string> option_warnings(const TranscriptionOptions& options,
                                         const Tokenizer& tokenizer, std::size_t max_tokens,
                                         std::optional<double> duration_s);

}  // namespace engine
