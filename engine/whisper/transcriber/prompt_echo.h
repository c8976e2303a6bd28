#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Returns the letters and digits of a text, in lower case where they are ASCII, without what stands
// between them.
std::string letters_of(std::string_view text);

// Recognises what a model wrote that only repeats what it was given to read: the initial prompt,
// the hotwords or the prefix.
class PromptEcho {
 public:
  explicit PromptEcho(const TranscriptionOptions& options);

  // Returns whether the text stands in what was given, or most of its words do.
  bool repeats(std::string_view text) const;

 private:
  std::string letters_;
  std::set<std::string, std::less<>> words_;
};

}  // namespace engine
