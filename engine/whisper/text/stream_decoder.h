#pragma once

#include <string>

#include "engine/whisper/text/tokenizer.h"
#include "engine/whisper/text/utf8.h"

namespace engine {

// Decodes tokens that come one by one. A character whose bytes lie in several tokens is held back
// until it is whole; special tokens give nothing. The tokenizer must outlive it.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  std::string push(int id) { return held_.push(tokenizer_.bytes(id)); }
  // Returns what is left at the end, as U+FFFD.
  std::string flush() { return held_.flush(); }

 private:
  const Tokenizer& tokenizer_;
  Utf8Holdback held_;
};

}  // namespace engine
