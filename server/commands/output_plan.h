#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/commands/output_sink.h"

namespace server {

// The targets of the transcripts: a file for each input and format, or stdout for all of them, one
// after the other.
struct OutputPlan {
  // [input][format]; empty: everything goes to stdout.
  std::vector<std::vector<std::filesystem::path>> files{};

  // Returns whether the output file of an input exists, in one format or in all of them.
  bool exists(std::size_t input, std::size_t format) const;
  bool exists(std::size_t input) const;
  // See open_output().
  Result<std::unique_ptr<OutputSink>> open(std::size_t input, std::size_t format, int interrupt_fd,
                                           bool keep_partial) const;
};

// Returns the formats of the outputs: those that were asked for, or that of the name `output`, as
// in talk.srt, or txt. Errors: usage, where the name contradicts what was asked for.
//   known  all formats that there are
Result<std::vector<std::string>> output_formats(const std::vector<std::string>& asked,
                                                const std::string& output,
                                                const std::set<std::string>& known,
                                                std::size_t inputs);

// Plans the outputs. `output` is "-", a file, or a folder: one that exists, or a name that ends in
// '/'. Several inputs or formats need a folder, which is made if it does not exist. In a folder a
// transcript is named after its input: talk.mp3 gives talk.srt, and stdin gives stdin.srt. Two
// inputs of one name are an error, as is a transcript that would replace an input.
Result<OutputPlan> plan_outputs(const std::vector<std::string>& inputs, const std::string& output,
                                const std::vector<std::string>& formats);

// Returns the file name of the transcript of `input`: its own without the extension, and the
// format.
std::string transcript_name(const std::string& input, const std::string& format);

}  // namespace server
