#pragma once

namespace platform {

// Removes a variable from this process's environment, and its value from the memory that
// /proc/PID/environ shows. Call it only while there is one thread. Pointers that getenv() returned
// for it then lead to an empty text.
void forget_variable(const char* name);

// Does the same with all variables.
void forget_environment();

}  // namespace platform
