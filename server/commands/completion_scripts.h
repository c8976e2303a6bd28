#pragma once

#include <string_view>

namespace server {

// Returns a script for a shell ("bash", "zsh" or "fish") to source, or to find where it looks for
// completions; empty for any other. The scripts call `scribed complete` and know nothing of scribed
// themselves.
std::string_view completion_script(std::string_view shell);

}  // namespace server
