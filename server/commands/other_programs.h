#pragma once

#include <string>
#include <string_view>

namespace server {

// Returns what to do instead, where a word is one that people know from openai/whisper,
// faster-whisper, whisper.cpp, Ollama or Docker; empty: it is not known. `line` is the command in
// which it stands: "scribed serve".
std::string instead_of(std::string_view line, std::string_view word);

}  // namespace server
