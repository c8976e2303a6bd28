#pragma once

#include <string>
#include <vector>

#include "engine/whisper/text/tokenizer.h"

// A multilingual tokenizer whose tokens 0 to 255 are the bytes, and whose others never occur.
inline engine::Tokenizer byte_tokenizer() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  while (tokens.size() < 50257) tokens.push_back("\x01" + std::to_string(tokens.size()) + "\x01");
  return engine::Tokenizer::from_tokens(tokens, 51865).value();
}
