#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "server/base/error.h"

namespace server {

// Reads a file of keys. A file that does not exist is empty. Errors: input_unreadable.
Result<std::string> read_key_file(const std::filesystem::path& file);

// Replaces a file of keys by what `edit` makes of its text, whole or not at all: whoever reads it
// meanwhile sees the old one. The new text must be one that a server takes, with a key in it. The
// file keeps its owner, its group and its mode; a new one is for its owner alone (0600), who is the
// owner of its folder where root makes it. Two edits at once wait for each other. Errors: those of
// `edit`, usage, input_unreadable, output_not_writable, out_of_disk.
Result<void> edit_key_file(const std::filesystem::path& file,
                           const std::function<Result<std::string>(std::string_view text)>& edit);

// Returns whether root alone can read the file, which a service of another user then cannot.
bool is_for_root_alone(const std::filesystem::path& file);

}  // namespace server
