#pragma once

#include <string>

namespace server {

// 26 characters of 130 random bits from the kernel: whoever does not know an id cannot guess it.
std::string random_id();

}  // namespace server
