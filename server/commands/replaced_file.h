#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

namespace server {

// The access that a replaced file gives.
struct FileModes {
  mode_t kept = 0777;   // what may stay of the old file's mode
  mode_t fresh = 0600;  // of a file that was not there
};

// Replaces a file by `text`, whole or not at all: whoever reads it meanwhile sees the old one. It
// keeps its owner, its group and its mode; a new one belongs to the owner of its folder where root
// makes it. Returns 0, or what went wrong (errno).
int replace_file(const std::filesystem::path& file, std::string_view text, FileModes modes);

}  // namespace server
