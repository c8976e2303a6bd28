#pragma once

#include <string_view>

namespace platform {

// Returns compat_matrix.json as it was when this program was built. It is generated; see
// embed.cmake.
std::string_view compat_matrix_text();

}  // namespace platform
