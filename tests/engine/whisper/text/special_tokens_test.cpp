#include <gtest/gtest.h>

#include "engine/whisper/text/token_layout.h"

namespace engine {
namespace {

TEST(SpecialTokens, LieWhereTheVocabularySizePutsThem) {
  struct Case {
    int n_vocab, eot, languages, translate, no_speech, no_timestamps, timestamp_begin;
  };
  for (const Case& c : {Case{51864, 50256, 99, 50357, 50361, 50362, 50363},
                        Case{51865, 50257, 99, 50358, 50362, 50363, 50364},
                        Case{51866, 50257, 100, 50359, 50363, 50364, 50365}}) {
    const TokenLayout layout = layout_of_size(c.n_vocab).value();
    const SpecialTokens& s = layout.specials;
    EXPECT_EQ(s.multilingual, c.n_vocab > 51864);
    EXPECT_EQ(s.eot, c.eot);
    EXPECT_EQ(static_cast<int>(layout.languages.size()), c.languages);
    EXPECT_EQ(s.translate, c.translate);
    EXPECT_EQ(s.no_speech, c.no_speech);
    EXPECT_EQ(s.no_timestamps, c.no_timestamps);
    EXPECT_EQ(s.timestamp_begin, c.timestamp_begin);
    EXPECT_EQ(token_name(layout, c.n_vocab - 1), "<|30.00|>");
  }
}

TEST(SpecialTokens, OtherVocabularySizesAreRefused) {
  for (const int n_vocab : {0, 51863, 51867}) {
    const auto s = special_tokens(n_vocab);
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().message.find(std::to_string(n_vocab)), std::string::npos);
  }
}

TEST(SpecialTokens, HaveNames) {
  const TokenLayout layout = layout_of_size(51866).value();
  const SpecialTokens& s = layout.specials;
  EXPECT_EQ(token_name(layout, s.eot), "<|endoftext|>");
  EXPECT_EQ(token_name(layout, s.sot), "<|startoftranscript|>");
  EXPECT_EQ(token_name(layout, 50358), "<|yue|>");
  EXPECT_EQ(token_name(layout, s.translate), "<|translate|>");
  EXPECT_EQ(token_name(layout, s.sot_prev), "<|startofprev|>");
  EXPECT_EQ(token_name(layout, s.timestamp_begin + 54), "<|1.08|>");
  EXPECT_EQ(token_name(layout, 5), "");
  EXPECT_EQ(token_name(layout, s.n_vocab), "");
}

TEST(SpecialTokens, CantoneseIsOnlyInTheLargestVocabulary) {
  EXPECT_EQ(language_token(layout_of_size(51866).value(), "yue"), 50358);
  EXPECT_FALSE(language_token(layout_of_size(51865).value(), "yue"));
  EXPECT_EQ(language_token(layout_of_size(51865).value(), "de"), 50261);
}

}  // namespace
}  // namespace engine
