#pragma once

#include <vector>

#include "server/config/settings_table.h"

namespace server {

// Returns the settings of several daemons that work on the same jobs.
std::vector<Setting> cluster_rows();

}  // namespace server
