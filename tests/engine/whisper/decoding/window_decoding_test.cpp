#include "engine/whisper/decoding/window_decoding.h"

#include <gtest/gtest.h>

#include <cmath>

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
  static at::Tensor favour(int token) {
    at::Tensor logits = at::zeros({1, multilingual_vocabulary});
    logits.select(1, token).fill_(30);
    return logits;
  }

  ModelDims dims_;
  DecodingOptions options_;
  static Tokenizer* tokenizer_;
};
Tokenizer* WindowDecodingTest::tokenizer_ = nullptr;

TEST_F(WindowDecodingTest, GivesTextTokensAndFigures) {
  auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
  at::Tensor sot = at::zeros({multilingual_vocabulary});
  sot[tokenizer_->no_speech()].fill_(std::log(multilingual_vocabulary - 1.0));
  decoding.read_no_speech_prob(sot);
  for (const int token : {first_timestamp, int{' '}, int{'H'}, int{'i'}, first_timestamp + 50}) {
    EXPECT_FALSE(decoding.accept(favour(token)));
    EXPECT_EQ(decoding.next_tokens(), std::vector<std::int64_t>{token});
  }
  EXPECT_TRUE(decoding.accept(favour(tokenizer_->eot())));
  const DecodingResult result = decoding.finish();
  EXPECT_EQ(result.tokens,
            (std::vector<int>{first_timestamp, ' ', 'H', 'i', first_timestamp + 50}));
  EXPECT_EQ(result.text, "Hi");
  EXPECT_NEAR(result.no_speech_prob, 0.5, 1e-4);
  EXPECT_NEAR(result.avg_logprob, 0, 1e-3);
}

TEST_F(WindowDecodingTest, NumbersThatAreNoneAreAnErrorNeverText) {
  for (const float bad : {NAN, INFINITY}) {
    auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
    at::Tensor logits = favour(first_timestamp);
    logits.select(1, 17).fill_(bad);
    try {
      decoding.accept(logits);
      FAIL() << "accepted " << bad;
    } catch (const Exception& exception) {
      EXPECT_EQ(exception.error.code, Errc::non_finite_logits);
    }
  }
}

TEST_F(WindowDecodingTest, EndsAtTheSampleLength) {
  options_.sample_len = 2;
  auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
  EXPECT_FALSE(decoding.accept(favour(first_timestamp)));
  EXPECT_TRUE(decoding.accept(favour('x')));
}

TEST_F(WindowDecodingTest, EndsWhenTheContextIsFull) {
  options_.prompt.assign(223, 'p');
  options_.sample_len = 400;
  auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
  const auto room = 448 - static_cast<int>(decoding.initial_tokens().tokens.size());
  decoding.accept(favour(first_timestamp));
  int sampled = 1;
  while (!decoding.accept(favour('x'))) ++sampled;
  EXPECT_EQ(sampled, room);
}

// The tokens that are accepted until the window is decoded, `token` again and again.
int accepted_until_the_end(WindowDecoding& decoding, int token) {
  at::Tensor logits = at::zeros({decoding.n_rows(), multilingual_vocabulary});
  logits.select(1, token).fill_(30);
  int accepted = 1;
  while (!decoding.accept(logits.clone())) ++accepted;
  return accepted;
}

TEST_F(WindowDecodingTest, EndsWhenItIsCaughtInALoop) {
  options_.loop_detection = true;
  auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
  decoding.accept(favour(first_timestamp));
  EXPECT_EQ(accepted_until_the_end(decoding, 'x'), 64);
  EXPECT_TRUE(decoding.finish().looping);
}

TEST_F(WindowDecodingTest, WithoutLoopDetectionItLoopsOn) {
  auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
  decoding.accept(favour(first_timestamp));
  EXPECT_EQ(accepted_until_the_end(decoding, 'x'), 223);
  EXPECT_FALSE(decoding.finish().looping);
}

TEST_F(WindowDecodingTest, OfSeveralSequencesOneThatEndedIsPreferredToALoop) {
  options_.loop_detection = true;
  options_.temperature = 1;
  options_.best_of = 2;
  auto decoding = WindowDecoding::create(options_, *tokenizer_, dims_).value();
  const auto rows = [](int first, int second) {
    at::Tensor logits = at::zeros({2, multilingual_vocabulary});
    logits[0][first].fill_(60);
    logits[1][second].fill_(60);
    return logits;
  };
  decoding.accept(rows(first_timestamp, first_timestamp));
  at::Tensor unsure = rows('x', 'a');
  unsure[1]['b'].fill_(60);  // so that the loop is the likelier one
  decoding.accept(unsure);
  int accepted = 2;
  while (!decoding.accept(rows('x', tokenizer_->eot()))) ++accepted;
  EXPECT_EQ(accepted, 64);
  const DecodingResult result = decoding.finish();
  EXPECT_EQ(result.tokens.size(), 2u);
  EXPECT_FALSE(result.looping);
}

TEST_F(WindowDecodingTest, RefusesOptionsWithoutMeaning) {
  options_.length_penalty = 1.5;
  EXPECT_EQ(WindowDecoding::create(options_, *tokenizer_, dims_).error().code,
            Errc::invalid_option);
}

}  // namespace
}  // namespace engine
