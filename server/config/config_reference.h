#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/config/config.h"

namespace server {

// Returns each value with its origin, as TOML that can be put into a file.
std::string config_text(const Config& config);
nlohmann::ordered_json config_json(const Config& config);

// Returns all settings with their meaning, allowed values and defaults: packaging/config.toml,
// where everything is commented out.
std::string config_reference();

}  // namespace server
