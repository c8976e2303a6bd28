#pragma once

#include <span>

namespace server {

// Fills at most 256 bytes with random ones from the kernel. False: it gives none.
bool fill_with_random(std::span<unsigned char> bytes);

}  // namespace server
