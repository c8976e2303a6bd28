#pragma once

#include <string>
#include <utility>
#include <vector>

#include "server/base/error.h"
#include "server/commands/transcribe_options.h"

namespace server {

// Runs `scribed transcribe --server`: each input becomes a job of that server, whose text is
// written as it is decided, and which is forgotten at the end or when a signal comes. `arguments`
// are finished (see finish_options); `fields` are those of each job's form.
ExitCode run_remote_transcribe(const TranscribeArguments& arguments,
                               const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace server
