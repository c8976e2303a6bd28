#pragma once

#include <string>
#include <vector>

#include "engine/whisper/decoding/decoding_options.h"
#include "engine/whisper/transcriber/transcription_options.h"
#include "engine/whisper/weights/dims.h"

namespace engine {

// Returns the tokens of a text as a prompt or a prefix: stripped, with one space in front; no
// tokens of no text.
std::vector<int> encode_prompt(const Tokenizer& tokenizer, const std::string& text);

// Returns how many tokens of earlier text the model reads, prompts among them: half of its context
// but one, as openai/whisper decoding.py has it.
std::size_t most_prompt_tokens(const ModelDims& dims);

// Returns what every way of decoding a window takes from the options. Each way sets beams, most
// tokens, seed and what stands before the text by itself.
DecodingOptions window_options(const TranscriptionOptions& options, const Tokenizer& tokenizer,
                               const std::string& language);

// Returns the options of a window of the sequential loop, but for its seed and its prompt.
DecodingOptions sequential_options(const TranscriptionOptions& options, const Tokenizer& tokenizer,
                                   const std::string& language);

}  // namespace engine
