#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace platform {

// The whole document; an empty object for a file that is missing, damaged or of another version.
nlohmann::json read_cache(const std::filesystem::path& file);

// Replaces the file at one stroke (mode 0600); its folder is made where it is missing. A failure is
// kept silent: the next start then asks again.
void write_cache(const std::filesystem::path& file, nlohmann::json document);

}  // namespace platform
