#pragma once

#include <cstdint>
#include <string>

namespace server {

// Returns "1 job", "2 jobs": a number with its noun, whose plural has an s.
inline std::string counted(std::uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace server
