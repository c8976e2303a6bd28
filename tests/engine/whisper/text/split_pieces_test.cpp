#include "engine/whisper/text/split_pieces.h"

#include <gtest/gtest.h>

#include <string>

namespace engine {
namespace {

using Pieces = std::vector<std::string_view>;

TEST(SplitPieces, CutsLikeGpt2) {
  struct Case {
    std::string_view text;
    Pieces pieces;
  };
  const Case cases[] = {
      {"", {}},
      {"Hello world", {"Hello", " world"}},
      {"I'll don't 's", {"I", "'ll", " don", "'t", " '", "s"}},
      {"DON'T", {"DON", "'", "T"}},
      {"a  b", {"a", " ", " b"}},
      {"a   ", {"a", "   "}},
      {"a\n\nb", {"a", "\n", "\n", "b"}},
      {"a \nb", {"a", " ", "\n", "b"}},
      {" 12th!?", {" 12", "th", "!?"}},
      {"\xC2\xBD\xE2\x85\xAB", {"\xC2\xBD\xE2\x85\xAB"}},  // one half, roman twelve
      {"a\xE3\x80\x80"
       "b",
       {"a", "\xE3\x80\x80", "b"}},  // ideographic space
      {" \xE3\x80\x80"
       "b",
       {" ", "\xE3\x80\x80", "b"}},
      {"e\xCC\x81t", {"e", "\xCC\x81", "t"}},  // a combining mark is no letter
      {" \xF0\x9F\x98\x80\xF0\x9F\x98\x80", {" \xF0\x9F\x98\x80\xF0\x9F\x98\x80"}},
  };
  for (const Case& c : cases) EXPECT_EQ(split_pieces(c.text), c.pieces) << c.text;
}

}  // namespace
}  // namespace engine
