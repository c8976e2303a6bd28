#pragma once

#include "server/base/error.h"
#include "server/commands/transcribe_options.h"

namespace server {

// Does what `scribed transcribe` was asked for, from the inputs to the last output, and says on
// stderr what went wrong. `arguments` are finished (see finish_options).
ExitCode run_transcribe(const TranscribeArguments& arguments);

}  // namespace server
