#pragma once

#include <string>

namespace server {

// Writes a position in a recording for people: "0:07", "4:10", "1:02:03".
std::string clock_text(double seconds);

}  // namespace server
