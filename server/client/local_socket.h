#pragma once

#include <string>

namespace server {

// Returns whether a process listens on that unix socket, and this user may connect to it. It does
// not wait for an answer.
bool is_listened_on(const std::string& socket);

}  // namespace server
