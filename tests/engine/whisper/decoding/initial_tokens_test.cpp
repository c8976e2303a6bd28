#include "engine/whisper/decoding/initial_tokens.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

constexpr int n_text_ctx = 448;

class InitialTokensTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { tokenizer_ = new Tokenizer(byte_tokenizer()); }
  static void TearDownTestSuite() { delete tokenizer_; }
  static Tokenizer* tokenizer_;
};
Tokenizer* InitialTokensTest::tokenizer_ = nullptr;

TEST_F(InitialTokensTest, NameLanguageAndTask) {
  DecodingOptions options;
  options.language = "de";
  options.task = Task::translate;
  const auto initial = initial_tokens(options, *tokenizer_, n_text_ctx);
  EXPECT_EQ(initial->tokens, (std::vector<int>{50258, 50261, 50358}));
  EXPECT_EQ(initial->sot_index, 0);
}

TEST_F(InitialTokensTest, WithoutTimestampsEndWithTheTokenThatSaysSo) {
  DecodingOptions options;
  options.without_timestamps = true;
  EXPECT_EQ(initial_tokens(options, *tokenizer_, n_text_ctx)->tokens.back(), 50363);
}

TEST_F(InitialTokensTest, KeepTheLastTokensOfALongPrompt) {
  DecodingOptions options;
  options.prompt.resize(300);
  std::iota(options.prompt.begin(), options.prompt.end(), 0);
  const auto initial = initial_tokens(options, *tokenizer_, n_text_ctx);
  EXPECT_EQ(initial->tokens.size(), 1U + 223 + 3);
  EXPECT_EQ(initial->tokens[0], tokenizer_->sot_prev());
  EXPECT_EQ(initial->tokens[1], 300 - 223);
  EXPECT_EQ(initial->sot_index, 224);
  EXPECT_EQ(initial->tokens[224], tokenizer_->sot());
}

TEST_F(InitialTokensTest, EndWithThePrefix) {
  DecodingOptions options;
  options.prefix = {72, 105};
  EXPECT_EQ(initial_tokens(options, *tokenizer_, n_text_ctx)->tokens,
            (std::vector<int>{50258, 50259, 50359, 72, 105}));
}

TEST_F(InitialTokensTest, RefuseAPrefixThatFillsTheContext) {
  DecodingOptions options;
  options.prefix.assign(446, 72);
  EXPECT_EQ(initial_tokens(options, *tokenizer_, n_text_ctx).error().code, Errc::invalid_option);
}

TEST_F(InitialTokensTest, RefuseALanguageTheModelLacks) {
  DecodingOptions options;
  options.language = "yue";
  EXPECT_FALSE(initial_tokens(options, *tokenizer_, n_text_ctx).has_value());
}

}  // namespace
}  // namespace engine
