#pragma once

#include <CLI/App.hpp>

#include "server/base/error.h"
#include "server/commands/transcribe_options.h"

namespace server {

// The options of `scribed transcribe` that say what comes in: the decoder's, its channels, and
// sound that is still being recorded.
void add_input_options(CLI::App& command, TranscribeArguments& arguments);

// What can only be said of several options together, and what follows from them.
Result<void> finish_input_options(TranscribeArguments& arguments);

}  // namespace server
