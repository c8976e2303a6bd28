#pragma once

#include "server/commands/transcribe_options.h"
#include "server/error.h"

namespace server {

// Does what `scribed transcribe` was asked for, from the inputs to the last output, and says on
// stderr what went wrong. `arguments` are finished (see finish_options).
ExitCode run_transcribe(const TranscribeArguments& arguments);

}  // namespace server
