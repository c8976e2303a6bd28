#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Returns the letters and digits of a text, in lower case where they are ASCII, without what stands
// between them.
std::string letters_of(std::string_view text);

// Returns the texts that the options give a model to read: the initial prompt, the hotwords and the
// prefix.
std::string given_text(const TranscriptionOptions& options);

// Recognises what a model wrote that only repeats what it has read.
class PromptEcho {
 public:
  explicit PromptEcho(std::string_view read);

  // Returns whether the text stands in what was read, or at least so much of its words do.
  //   least: 0.6 is three words of five
  bool repeats(std::string_view text, double least) const;

 private:
  std::string letters_;
  std::set<std::string, std::less<>> words_;
};

}  // namespace engine
