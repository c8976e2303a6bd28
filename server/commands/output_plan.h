#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// The targets of the transcripts: one file per input, or stdout for all of them, one after the
// other.
struct OutputPlan {
  std::vector<std::filesystem::path> files{};  // as many as inputs; empty: stdout
};

// Plans the outputs. `output` is "-", a file, or a folder: one that exists, or a name that ends in
// '/'. Several inputs need a folder, which is made if it does not exist. In a folder a transcript
// is named after its input: talk.mp3 gives talk.srt, and stdin gives stdin.srt. Two inputs of one
// name are an error, as is a transcript that would replace an input.
Result<OutputPlan> plan_outputs(const std::vector<std::string>& inputs, const std::string& output,
                                const std::string& format);

// Returns the file name of the transcript of `input`: its own without the extension, and the
// format.
std::string transcript_name(const std::string& input, const std::string& format);

}  // namespace server
