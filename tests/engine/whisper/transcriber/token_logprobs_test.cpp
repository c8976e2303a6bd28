#include "engine/whisper/transcriber/token_logprobs.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

TEST(TokenLogprobs, AreThoseOfTheTextWithItsBytes) {
  const Tokenizer tokenizer = byte_tokenizer();
  const int time = tokenizer.timestamp_begin();
  const std::vector<int> tokens{time, 'H', 0xc3, 0xa9, time + 50};
  const std::vector<float> logprobs{-1, -2, -3, -4, -5};
  const auto text = token_logprobs(tokenizer, tokens, logprobs);
  EXPECT_EQ(text, (std::vector<protocol::TokenLogprob>{{{'H'}, -2}, {{0xc3}, -3}, {{0xa9}, -4}}));
}

}  // namespace
}  // namespace engine
