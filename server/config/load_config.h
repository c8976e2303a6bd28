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

// A value from the command line; each value of a setting with several is a flag of its own.
struct ConfigFlag {
  std::string key{};   // "server.listen"
  std::string flag{};  // "--listen", for messages
  std::string text{};
};

// The sources of the configuration. Later ones win: built in, the system's file, the user's file,
// one named file, environment, flags.
struct ConfigSources {
  Environment environment{};
  std::function<bool(const char*)> is_set = is_in_environment;  // true also for an empty value
  std::function<std::vector<std::string>()> names = own_variables;
  std::filesystem::path system_file = "/etc/scribed/config.toml";
  std::filesystem::path named_file{};  // must exist; empty: $SCRIBED_CONFIG, else none
  std::vector<ConfigFlag> flags{};
};

// The error (bad_config, input_not_found, input_unreadable) names file and line, variable or flag.
Result<Config> load_config(const ConfigSources& sources);

}  // namespace server
