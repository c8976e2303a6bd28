#pragma once

#include <string>
#include <string_view>

namespace server {

// Returns 26 characters of 130 random bits from the kernel, so that whoever does not know an id
// cannot guess it.
std::string random_id();

// Returns whether `text` has the form that random_id() gives. Ids become names of files, so nothing
// else may pass.
bool is_id(std::string_view text);

}  // namespace server
