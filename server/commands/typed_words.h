#pragma once

#include <string>
#include <vector>

namespace server {

// Returns the words of a command line as scribed spells them: `help serve` is `serve --help`, and
// openai/whisper's --word_timestamps, --output_format and --output_dir are --word-timestamps,
// --format and --output with a folder. Words behind `--` stay as they are.
std::vector<std::string> typed_words(std::vector<std::string> words);

}  // namespace server
