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
  std::string path{};  // as it was named
};

// Nothing but files of transcripts, and none that is there: a model may be told to write by whoever
// spoke. Somebody may still be quicker. Errors: output_not_writable.
Result<OutputFile> open_output(const AllowedPaths& paths, const std::string& path);

// The whole file appears under its name with all of its text, or not at all, and nothing is ever
// replaced. Blocks for the disk, on any thread. Errors: output_not_writable, out_of_disk.
Result<void> write_output(const OutputFile& file, std::string_view text);

}  // namespace server
