#pragma once

#include <functional>
#include <string>

namespace server {

// Reads an environment variable; the result is empty if it is not set. Whoever needs one is
// given this function: config/environment.h has the one of the process, and tests need no setenv.
using Environment = std::function<std::string(const char*)>;

}  // namespace server
