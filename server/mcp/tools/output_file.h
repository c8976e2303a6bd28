#pragma once

#include <string>
#include <string_view>

#include "platform/unique_fd.h"
#include "server/base/error.h"

namespace server {

class AllowedPaths;

// A file that may be written below the allowed folders.
struct OutputFile {
  platform::UniqueFd folder{};
  std::string path{};  // as the caller named it
};

// Allows only names of transcripts, and no file that exists: whoever spoke may have told the model
// to write it. Another program may still create it before write_output(). Errors:
// output_not_writable.
Result<OutputFile> open_output(const AllowedPaths& paths, const std::string& path);

// The whole file appears under its name with all of its text, or not at all, and never replaces
// another. It blocks for the disk and may run on any thread. Errors: output_not_writable,
// out_of_disk.
Result<void> write_output(const OutputFile& file, std::string_view text);

}  // namespace server
