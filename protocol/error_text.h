#pragma once

#include <string>

#include "protocol/error.h"

namespace protocol {

// Returns the message and the fix of an error as one text, for interfaces whose errors have a
// single text field. Adds a full stop between them if the message has no end mark.
std::string error_text(const Error& error);

}  // namespace protocol
