#pragma once

#include <string>

// The environment of this process. Nothing else in server/ reads it: settings, folders and accesses
// are found here and by the commands, and handed down.
namespace server {

// An Environment (base/environment.h).
std::string process_environment(const char* variable);

// Whether the process has the variable, also with nothing in it.
bool is_in_environment(const char* variable);

}  // namespace server
