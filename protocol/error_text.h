#pragma once

#include <string>
#include <string_view>

#include "protocol/error.h"

namespace protocol {

// Returns the message and the fix of an error as one text of whole sentences, for interfaces whose
// errors have a single text field. An error of scribed itself that has no fix gets the usual one.
std::string error_text(const Error& error);

// Returns the text with a capital at its beginning, unless its first word is a name (`scribed`,
// params.uri, 'en'), and with a full stop if it has no end mark. An empty text stays empty.
std::string whole_sentence(std::string_view text);

}  // namespace protocol
