#pragma once

#include <vector>

#include "platform/unique_fd.h"
#include "server/base/environment.h"

namespace server {

// Returns the sockets that systemd (a .socket unit) has opened for this process, in the order of
// the unit: $LISTEN_FDS of them, where $LISTEN_PID names this process. Empty where there are none.
// Call it once, before anything else is opened; programs that this one starts do not inherit them.
std::vector<platform::UniqueFd> inherited_sockets(const Environment& environment);

}  // namespace server
