#pragma once

namespace engine {

// Returns whether Python's str.isspace takes the character for white space, and str.strip takes it
// off: Unicode's white space, and the separators U+001C to U+001F.
bool is_white_space(char32_t c);

}  // namespace engine
