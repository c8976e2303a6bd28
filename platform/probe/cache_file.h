#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace platform {

// Reads the whole document; an empty object for a file that is missing, damaged or of another
// version.
nlohmann::json read_cache(const std::filesystem::path& file);

// Replaces the file atomically (mode 0600); its folder is made if it is missing. A failure is
// not reported: the next start then asks again.
void write_cache(const std::filesystem::path& file, nlohmann::json document);

}  // namespace platform
