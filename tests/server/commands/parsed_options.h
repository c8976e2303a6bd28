#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "server/commands/transcribe_options.h"

namespace server::test {

// Parses the command line `words`, without the program's name.
inline TranscribeArguments parse(std::vector<std::string> words) {
  CLI::App app;
  TranscribeArguments arguments;
  add_transcribe_options(app, arguments);
  std::reverse(words.begin(), words.end());  // as CLI11 wants it
  app.parse(words);
  finish_options(arguments).value();
  return arguments;
}

}  // namespace server::test
