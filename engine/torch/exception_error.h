#pragma once

#include "engine/error.h"

namespace engine {

// Returns the error that stands for the exception being handled, whatever libtorch or the standard
// library threw; call it in a catch block. `where` names the part that failed, for a report. The
// error of a failing device (CUDA, HIP, MPS and their libraries) has the whole text.
Error error_of_current_exception(const char* where);

}  // namespace engine
