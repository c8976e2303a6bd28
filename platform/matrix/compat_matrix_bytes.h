#pragma once

#include <string_view>

namespace platform {

// The text of compat_matrix.json as it was when this program was built. Generated; see embed.cmake.
std::string_view compat_matrix_text();

}  // namespace platform
