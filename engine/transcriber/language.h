#pragma once

#include <string>

#include "engine/runner/runner.h"

namespace engine {

struct DetectedLanguage {
  std::string code;
  double probability = 0;
};

// The likeliest language of a window: the softmax over the language tokens alone, after one step on
// the sot token. openai/whisper decoding.py `detect_language`. Multilingual models only.
Result<DetectedLanguage> detect_language(Runner& runner, const Tokenizer& tokenizer,
                                         const EncodedWindow& window);

}  // namespace engine
