#pragma once

#include "engine/error.h"

namespace engine {

// Does what error_of_current_exception does, for what libtorch throws, too. A
// device's failure is told by the exception's type and code, and where a library below libtorch has
// no type, by the first words of its check; its error has the whole text. device_unavailable means
// that the process can no longer use the device, which holds for no call that was merely wrong.
Error error_of_torch_exception(const char* where);

}  // namespace engine
