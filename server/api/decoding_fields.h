#pragma once

#include <string>
#include <string_view>

#include "protocol/transcribe_options.h"
#include "server/api/form_values.h"

namespace server {

using ReadDecodingField = FormProblem (*)(protocol::TranscribeOptions& options,
                                          const std::string& value);

// How to read a parameter that is a decoding option, by its name and limits on the command line;
// nullptr: there is none of that name.
ReadDecodingField find_decoding_field(std::string_view name);

}  // namespace server
