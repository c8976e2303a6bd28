#pragma once

#include <vector>

#include "server/config/settings_table.h"

namespace server {

// Returns the settings of live sound, and of the interfaces of other servers.
std::vector<Setting> live_rows();

}  // namespace server
