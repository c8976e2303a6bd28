#pragma once

#include <CLI/App.hpp>

#include "server/base/error.h"
#include "server/commands/transcribe_options.h"

namespace server {

// Adds the options that say what is done with several channels.
void add_channel_options(CLI::App& command, TranscribeArguments& arguments);

// Adds the options that say how the input is decoded.
void add_decoder_options(CLI::App& command, DecoderOptions& decoder);

// Adds the options of `scribed transcribe` that describe the input: the decoder's, its channels,
// and sound that is still being recorded.
void add_input_options(CLI::App& command, TranscribeArguments& arguments);

// Checks what depends on several options together, and sets what follows from them.
Result<void> finish_input_options(TranscribeArguments& arguments);

}  // namespace server
