#include "engine/whisper/decoding/choice_rules.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

class ChoiceRulesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { tokenizer_ = new Tokenizer(byte_tokenizer()); }
  static void TearDownTestSuite() { delete tokenizer_; }

  ChoiceOptions rules() const { return choice_rules(options_, *tokenizer_, 1500); }

  DecodingOptions options_;
  static Tokenizer* tokenizer_;
};
Tokenizer* ChoiceRulesTest::tokenizer_ = nullptr;

TEST_F(ChoiceRulesTest, BeamsAreForTemperatureZeroAndSamplesForOthers) {
  options_.beam_size = 4;
  options_.best_of = 3;
  EXPECT_TRUE(rules().beam_search);
  EXPECT_EQ(rules().n_rows, 4);
  options_.temperature = 0.2;
  EXPECT_FALSE(rules().beam_search);
  EXPECT_EQ(rules().n_rows, 3);
}

TEST_F(ChoiceRulesTest, ABlankIsASpaceOrTheEnd) {
  EXPECT_EQ(rules().blank, (std::vector<int>{' ', tokenizer_->eot()}));
  options_.suppress_blank = false;
  EXPECT_TRUE(rules().blank.empty());
}

TEST_F(ChoiceRulesTest, TheFirstTimestampIsLimitedInTheEncodersPositions) {
  EXPECT_EQ(rules().max_initial_timestamp_index, 50);
  options_.max_initial_timestamp = 0.5;
  EXPECT_EQ(rules().max_initial_timestamp_index, 25);
  options_.max_initial_timestamp = 0;
  EXPECT_FALSE(rules().max_initial_timestamp_index) << "as openai/whisper reads it";
}

TEST_F(ChoiceRulesTest, SpecialTokensAreAlwaysAmongTheSuppressed) {
  const auto none = resolve_suppress_tokens({}, *tokenizer_);
  EXPECT_EQ(none, (std::vector<int>{50258, 50358, 50359, 50360, 50361, 50362}));
  const std::vector<int> wanted{-1, 7};
  const auto all = resolve_suppress_tokens(wanted, *tokenizer_);
  EXPECT_EQ(all.front(), 7);
  EXPECT_GE(all.size(), none.size() + 1 + tokenizer_->non_speech_tokens().size() - 1);
}

}  // namespace
}  // namespace engine
