#include "engine/whisper/decoding/window_decoding.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/whisper/constants.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

constexpr int first_timestamp = 50364;

class WindowDecodingTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { tokenizer_ = new Tokenizer(byte_tokenizer()); }
  static void TearDownTestSuite() { delete tokenizer_; }

  WindowDecodingTest() {
    dims_.n_audio_ctx = 1500;
    dims_.n_text_ctx = 448;
    dims_.n_vocab = multilingual_vocabulary;
  }
  WindowDecoding make() const {
    return WindowDecoding::create(options_, *tokenizer_, dims_).value();
  }

  ModelDims dims_;
  DecodingOptions options_;
  static Tokenizer* tokenizer_;
};
Tokenizer* WindowDecodingTest::tokenizer_ = nullptr;

// Returns what a step says that chose these tokens by row, each with its logprob.
StepOutcome took(const std::vector<int>& tokens, float logprob = -0.25F) {
  StepOutcome outcome;
  for (const int token : tokens) {
    outcome.rows.push_back({static_cast<int>(outcome.rows.size()), token, logprob, logprob});
  }
  return outcome;
}

TEST_F(WindowDecodingTest, GivesTextTokensAndFigures) {
  WindowDecoding decoding = make();
  StepOutcome first = took({first_timestamp});
  first.no_speech_prob = 0.5F;
  EXPECT_FALSE(decoding.accept(first));
  for (const int token : {int{' '}, int{'H'}, int{'i'}, first_timestamp + 50}) {
    EXPECT_FALSE(decoding.accept(took({token})));
  }
  EXPECT_TRUE(decoding.accept(took({tokenizer_->eot()}, -1.5F)));
  const DecodingResult result = decoding.finish();
  EXPECT_EQ(result.tokens,
            (std::vector<int>{first_timestamp, ' ', 'H', 'i', first_timestamp + 50}));
  EXPECT_EQ(result.logprobs, std::vector<float>(5, -0.25F));
  EXPECT_EQ(result.text, "Hi");
  EXPECT_EQ(result.no_speech_prob, 0.5);
  EXPECT_EQ(result.avg_logprob, -1.5 / 6) << "the sum of the last step";
}

TEST_F(WindowDecodingTest, NumbersThatAreNoneAreAnErrorNeverText) {
  WindowDecoding decoding = make();
  StepOutcome broken = took({first_timestamp});
  broken.finite = false;
  try {
    decoding.accept(broken);
    FAIL() << "accepted";
  } catch (const Exception& exception) {
    EXPECT_EQ(exception.error.code, Errc::non_finite_logits);
  }
}

TEST_F(WindowDecodingTest, EndsAtTheSampleLength) {
  options_.sample_len = 2;
  WindowDecoding decoding = make();
  EXPECT_EQ(decoding.most_steps(), 1) << "the prompt gives the first token";
  EXPECT_FALSE(decoding.accept(took({first_timestamp})));
  EXPECT_TRUE(decoding.accept(took({'x'})));
}

// Returns how many tokens are accepted until the window is decoded.
int accepted_until_the_end(WindowDecoding& decoding, const std::vector<int>& tokens) {
  int accepted = 1;
  while (!decoding.accept(took(tokens))) ++accepted;
  return accepted;
}

TEST_F(WindowDecodingTest, EndsWhenTheContextIsFull) {
  options_.prompt.assign(223, 'p');
  options_.sample_len = 400;
  WindowDecoding decoding = make();
  const auto n_initial = static_cast<int>(decoding.initial_tokens().tokens.size());
  EXPECT_EQ(accepted_until_the_end(decoding, {'x'}), 448 - n_initial + 1);
  EXPECT_EQ(n_initial + make().most_steps(), 448) << "each step needs a position";
}

TEST_F(WindowDecodingTest, EndsWhenItIsCaughtInALoop) {
  options_.loop_detection = true;
  WindowDecoding decoding = make();
  decoding.accept(took({first_timestamp}));
  EXPECT_EQ(accepted_until_the_end(decoding, {'x'}), 64);
  EXPECT_TRUE(decoding.finish().looping);
}

TEST_F(WindowDecodingTest, WithoutLoopDetectionItLoopsOn) {
  WindowDecoding decoding = make();
  decoding.accept(took({first_timestamp}));
  EXPECT_EQ(accepted_until_the_end(decoding, {'x'}), 223);
  EXPECT_FALSE(decoding.finish().looping);
}

TEST_F(WindowDecodingTest, OfSeveralSequencesOneThatEndedIsPreferredToALoop) {
  options_.loop_detection = true;
  options_.temperature = 1;
  options_.best_of = 2;
  WindowDecoding decoding = make();
  decoding.accept(took({first_timestamp, first_timestamp}));
  decoding.accept(took({'x', 'a'}));
  const auto on = [&](float loop, float other) {
    StepOutcome outcome = took({'x', tokenizer_->eot()});
    outcome.rows[0].sum_logprob = loop;
    outcome.rows[1].sum_logprob = other;
    return decoding.accept(outcome);
  };
  int accepted = 2;
  while (!on(-1, -100)) ++accepted;  // the loop is the likelier one
  EXPECT_EQ(accepted, 64);
  const DecodingResult result = decoding.finish();
  EXPECT_EQ(result.tokens.size(), 2u);
  EXPECT_FALSE(result.looping);
}

TEST_F(WindowDecodingTest, ABeamSearchEndsByItsPatience) {
  options_.beam_size = 2;
  options_.patience = 1.5;
  WindowDecoding decoding = make();
  StepOutcome outcome = took({'a', 'b'});
  outcome.ended = {{0, -1}};
  EXPECT_FALSE(decoding.accept(outcome));
  EXPECT_FALSE(decoding.accept(outcome));
  EXPECT_TRUE(decoding.accept(outcome));
}

TEST_F(WindowDecodingTest, RefusesOptionsWithoutMeaning) {
  options_.length_penalty = 1.5;
  EXPECT_EQ(WindowDecoding::create(options_, *tokenizer_, dims_).error().code,
            Errc::invalid_option);
}

}  // namespace
}  // namespace engine
