#pragma once

#include "server/base/error.h"
#include "server/commands/transcribe_options.h"

namespace server {

// Runs `scribed transcribe` from the inputs to the last output, and reports on stderr what went
// wrong. `arguments` are finished (see finish_options).
ExitCode run_transcribe(const TranscribeArguments& arguments);

}  // namespace server
