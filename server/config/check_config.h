#pragma once

#include "server/base/error.h"
#include "server/config/config.h"

namespace server {

// Checks rules that involve several settings: contradictions, and settings that would open this
// machine to others. `has_keys`: at least one key is known that a client could send. The error is
// bad_config.
Result<void> check_config(const Config& config, bool has_keys);

}  // namespace server
