#include "engine/whisper/decoding/compression_ratio.h"

#include <gtest/gtest.h>

#include <string>

namespace engine {
namespace {

// Expected values are Python's len(text.encode()) / len(zlib.compress(text.encode())).
TEST(CompressionRatio, EqualsPythonsZlib) {
  EXPECT_DOUBLE_EQ(compression_ratio(""), 0.0);
  EXPECT_DOUBLE_EQ(compression_ratio("Hello, world."), 13.0 / 21.0);
  std::string repeated;
  for (int i = 0; i < 50; ++i) repeated += "thank you. ";
  EXPECT_DOUBLE_EQ(compression_ratio(repeated), 550.0 / 25.0);
}

}  // namespace
}  // namespace engine
