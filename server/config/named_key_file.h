#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "server/base/error.h"
#include "server/config/load_config.h"

// Naming the file of keys in a configuration that names none yet.
namespace server {

struct KeyFilePlace {
  std::filesystem::path config{};  // the file that names it, which may be missing
  std::filesystem::path keys{};    // beside it
};

// Returns where a new file of keys belongs: beside the named configuration, else beside the
// system's if it is there and `is_root`, else beside the user's. The error is usage: there is no
// folder for it.
Result<KeyFilePlace> place_of_key_file(const ConfigSources& sources, bool is_root);

// Returns the TOML text with server.key_file, which it must not have. The error is bad_config.
Result<std::string> with_key_file(std::string_view text, const std::filesystem::path& keys);

}  // namespace server
