#pragma once

#include <string>
#include <vector>

// The environment of this process. Nothing else in server/ reads it: settings, folders and accesses
// are read from it here and in the commands, and handed down.
namespace server {

// Reads a variable of this process; it is an Environment (base/environment.h).
std::string process_environment(const char* variable);

// Returns whether the process has the variable, even if it is empty.
bool is_in_environment(const char* variable);

// Returns the names of the variables of this process that begin with SCRIBED_.
std::vector<std::string> own_variables();

}  // namespace server
