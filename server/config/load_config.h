#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "server/base/environment.h"
#include "server/base/error.h"
#include "server/config/config.h"
#include "server/config/environment.h"

namespace server {

// A value from the command line: of a setting with several values each is one flag.
struct ConfigFlag {
  std::string key{};   // "server.listen"
  std::string flag{};  // "--listen", for messages
  std::string text{};
};

// Where the configuration comes from; what comes later wins: built in, the system's file, the
// user's file, one named file, environment, flags.
struct ConfigSources {
  Environment environment{};
  std::function<bool(const char*)> is_set = is_in_environment;  // also to nothing
  std::filesystem::path system_file = "/etc/scribed/config.toml";
  std::filesystem::path named_file{};  // must exist; empty: $SCRIBED_CONFIG, else none
  std::vector<ConfigFlag> flags{};
};

// The error (bad_config, input_not_found, input_unreadable) names file and line, variable or flag.
Result<Config> load_config(const ConfigSources& sources);

}  // namespace server
