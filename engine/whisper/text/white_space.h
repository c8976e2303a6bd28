#pragma once

namespace engine {

// What Python's str.isspace takes for white space, and str.strip takes off: Unicode's, and the
// separators U+001C to U+001F.
bool is_white_space(char32_t c);

}  // namespace engine
