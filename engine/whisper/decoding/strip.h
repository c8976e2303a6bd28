#pragma once

#include <string>
#include <string_view>

namespace engine {

// Returns the text without white space at both ends; what counts as such is what Python's
// str.strip() takes, since the compression ratio is computed on stripped text.
std::string strip(std::string_view valid_utf8);

}  // namespace engine
