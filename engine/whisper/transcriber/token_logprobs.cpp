#include "engine/whisper/transcriber/token_logprobs.h"

#include <cstddef>
#include <utility>

namespace engine {

std::vector<protocol::TokenLogprob> token_logprobs(const Tokenizer& tokenizer,
                                                   std::span<const int> tokens,
                                                   std::span<const float> logprobs) {
  std::vector<protocol::TokenLogprob> text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    protocol::TokenLogprob token{.logprob = logprobs[i]};
    for (const char byte : tokenizer.bytes(tokens[i])) {
      token.bytes.push_back(static_cast<unsigned char>(byte));
    }
    if (!token.bytes.empty()) text.push_back(std::move(token));
  }
  return text;
}

}  // namespace engine
