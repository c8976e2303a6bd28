#pragma once

#include <string>
#include <string_view>

namespace server {

// 26 characters of 130 random bits from the kernel: whoever does not know an id cannot guess it.
std::string random_id();

// Whether random_id() gives such texts. Ids become names of files, so nothing else may pass.
bool is_id(std::string_view text);

}  // namespace server
