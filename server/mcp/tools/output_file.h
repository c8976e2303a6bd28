#pragma once

#include <string>
#include <string_view>

#include "server/error.h"

namespace server {

class AllowedPaths;

// Writes a whole file below the allowed folders: it appears under its name with all of its text, or
// not at all. Errors: output_not_writable (also where it exists and is not to be replaced),
// out_of_disk.
Result<void> write_output(const AllowedPaths& paths, const std::string& path, std::string_view text,
                          bool overwrite);

// Whether write_output() would begin: the folder is allowed, and nothing is in the way. Somebody
// may still be quicker.
Result<void> check_output(const AllowedPaths& paths, const std::string& path, bool overwrite);

}  // namespace server
