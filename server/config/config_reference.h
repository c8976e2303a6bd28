#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/config/config.h"

namespace server {

// Each value with where it comes from, as TOML that can be put into a file.
std::string config_text(const Config& config);
nlohmann::ordered_json config_json(const Config& config);

// All settings with what they mean, may be and are by default: packaging/config.toml, where
// everything is commented out.
std::string config_reference();

}  // namespace server
