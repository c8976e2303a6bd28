#include "engine/whisper/text/byte_pairs.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/text/test_vocabulary.h"

namespace engine {
namespace {

std::vector<int> encode(const std::vector<std::string>& tokens, std::string_view piece) {
  std::vector<int> ids;
  BytePairs(tokens).encode(piece, ids);
  return ids;
}

TEST(BytePairs, TakesAWholePieceAsOneToken) {
  EXPECT_EQ(encode(test_tokens(300), "hello"), std::vector<int>{hello});
}

TEST(BytePairs, MergesTheLowestIdFirst) {
  // "bc" comes before "ab", so "abc" is a + bc.
  EXPECT_EQ(encode({"a", "b", "c", "bc", "ab"}, "abc"), (std::vector<int>{0, 3}));
}

TEST(BytePairs, MergesTheLeftmostOfEqualPairs) {
  EXPECT_EQ(encode({"a", "aa"}, "aaa"), (std::vector<int>{1, 0}));
  EXPECT_EQ(encode({"a", "aa", "aaa"}, "aaaaa"), (std::vector<int>{1, 2}));
}

TEST(BytePairs, LeavesBytesThatNoPairHolds) {
  EXPECT_EQ(encode(test_tokens(300), "xhellx"), (std::vector<int>{'x', hell, 'x'}));
}

TEST(BytePairs, JoinsBackToThePieceHoweverLongItIs) {
  const auto tokens = test_tokens(300);
  std::string piece;
  for (int i = 0; i < 200000; ++i) piece += "hel"[i * 7 % 11 % 3];
  std::string joined;
  for (const int id : encode(tokens, piece)) joined += tokens[id];
  EXPECT_EQ(joined, piece);
}

}  // namespace
}  // namespace engine
