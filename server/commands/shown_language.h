#pragma once

#include <string>
#include <string_view>

namespace server {

// "en" or "english" as people write it: "English". A code that is not known stays as it is.
std::string shown_language(std::string_view code_or_name);

}  // namespace server
