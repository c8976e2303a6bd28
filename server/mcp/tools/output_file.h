#pragma once

#include <string>
#include <string_view>

#include "server/error.h"

namespace server {

class AllowedPaths;

// Writes a whole file below the allowed folders: it appears under its name with all of its text, or
// not at all. Nothing is ever replaced, and nothing but files of transcripts written: a model may
// be told to by whoever spoke. Errors: output_not_writable, out_of_disk.
Result<void> write_output(const AllowedPaths& paths, const std::string& path,
                          std::string_view text);

// Whether write_output() would begin: the folder is allowed, and nothing is in the way. Somebody
// may still be quicker.
Result<void> check_output(const AllowedPaths& paths, const std::string& path);

}  // namespace server
