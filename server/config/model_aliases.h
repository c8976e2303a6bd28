#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// Reads model.aliases: "name=model" each, no name twice. The error is bad_config.
Result<std::map<std::string, std::string>> parse_aliases(const std::vector<std::string>& texts);

}  // namespace server
