#pragma once

#include "engine/error.h"

namespace engine {

// Returns the error that stands for the exception being handled, which this project or the standard
// library threw; call it in a catch block. `where` names the part that failed, for a report.
// engine/torch/torch_error.h has what libtorch throws.
Error error_of_current_exception(const char* where);

}  // namespace engine
