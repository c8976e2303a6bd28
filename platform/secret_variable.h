#pragma once

namespace platform {

// Takes a variable out of this process's environment, and its value out of the memory that
// /proc/PID/environ shows. Only while there is one thread; what getenv() gave of it before is empty
// then.
void forget_variable(const char* name);

// Does the same with all variables.
void forget_environment();

}  // namespace platform
