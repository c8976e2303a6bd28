#pragma once

#include <CLI/App.hpp>
#include <string>
#include <utility>
#include <vector>

#include "protocol/option_table.h"
#include "server/base/error.h"

namespace server {

// Whether a form of the REST API takes this decoding option.
bool is_in_forms(const protocol::Option& option);

// Returns the fields of a form that ask a server for what the command's options ask: the decoding
// options, the model, the channels and clips of known speakers. What was not given is the server's
// to choose. Errors: usage, for an option that was given and that only this machine's own
// transcription can follow; those of speaker_fields().
Result<std::vector<std::pair<std::string, std::string>>> form_fields(const CLI::App& command);

}  // namespace server
