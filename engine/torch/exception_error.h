#pragma once

#include "engine/error.h"

namespace engine {

// The error that stands for the exception being handled, whatever libtorch or the standard library
// threw; call it in a catch block. `where` names the part that failed, for a report. Of a failing
// device (CUDA, HIP, MPS and their libraries) the error has the whole text.
Error error_of_current_exception(const char* where);

}  // namespace engine
