#pragma once

#include <string>

namespace server {

// Returns "[######------]" with `part`, from 0 to 1, of its `width` columns filled.
std::string progress_bar(double part, int width);

}  // namespace server
