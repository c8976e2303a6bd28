#pragma once

#include <string>

#include "engine/error.h"

namespace engine {

// Returns the error that stands for the exception being handled, which this project or the standard
// library threw; call it in a catch block. `where` names the part that failed, for a report.
// engine/torch/torch_error.h has what libtorch throws.
Error error_of_current_exception(const char* where);

// Returns what that says of memory that ran out.
Error memory_ran_out();
// Returns what that says of an exception that nobody has foreseen.
Error unforeseen(const char* where, const std::string& what);

}  // namespace engine
