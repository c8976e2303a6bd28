#pragma once

#include <vector>

#include "server/config/settings_table.h"

namespace server {

// Returns the settings of the HTTP server.
std::vector<Setting> server_rows();

}  // namespace server
