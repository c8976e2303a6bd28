#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace server {

// Reads an environment variable; empty where it is not set. Injected so that tests need no setenv.
using Environment = std::function<std::string(const char*)>;
std::string process_environment(const char* variable);

// Where models lie: $SCRIBED_DATA_DIR/models; else /var/lib/scribed/models where that exists and
// this user may write there (a service, or root on a machine that has it); else models/ below
// $XDG_DATA_HOME/scribed or ~/.local/share/scribed.
// `system_folder` stands for /var/lib/scribed.
std::filesystem::path models_folder(
    const Environment& environment = process_environment,
    const std::filesystem::path& system_folder = "/var/lib/scribed");

// What can be found out again, and is kept to save time: cache/ beside models/.
std::filesystem::path cache_folder(const Environment& environment = process_environment,
                                   const std::filesystem::path& system_folder = "/var/lib/scribed");

}  // namespace server
