#pragma once

#include <string_view>

namespace server {

// For a shell to source, or to find where it looks for completions: "bash", "zsh" or "fish"; else
// empty. They ask `scribed complete` and know nothing of scribed themselves.
std::string_view completion_script(std::string_view shell);

}  // namespace server
