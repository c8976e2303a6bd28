#include "tests/engine/whisper/transcriber/sequential_fixture.h"

namespace engine {
namespace {

TEST_F(SequentialTest, TheWindowThatDetectionHearsIsNotEncodedAgain) {
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 1);
  options_.language = "en";
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 1);
}

TEST_F(SequentialTest, DetectionAloneIsOneEncodingAndNoText) {
  options_.language_only = true;
  options_.language_detection_candidates = 5;
  options_.language_detection_segments = 1;
  const std::string language = transcribe(9000);
  EXPECT_EQ(counts_.encodes, 1);
  EXPECT_EQ(counts_.prompts, 0);
  EXPECT_TRUE(segments_.empty());
  ASSERT_FALSE(likeliest_.empty());
  EXPECT_EQ(likeliest_.front().language, language);
  EXPECT_EQ(detected_, (std::vector<std::string>{language}));
  for (std::size_t i = 1; i < likeliest_.size(); ++i) {
    EXPECT_LE(likeliest_[i].probability, likeliest_[i - 1].probability);
  }
}

TEST_F(SequentialTest, OpenaisDetectionHearsTheSilenceBehindAShortRecordingToo) {
  options_.language_detection_candidates = 1;
  options_.language_detection_segments = 1;
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 2);
  options_.sample_len = 1;  // a token is no pair of timestamps, so that windows are whole
  transcribe(6000);
  EXPECT_EQ(counts_.encodes, 2);
}

TEST_F(SequentialTest, SegmentsTellHowProbableTheirTokensWereIfThatIsAskedFor) {
  options_.beam_size = 2;
  for (const bool is_asked : {true, false}) {
    options_.token_logprobs = is_asked;
    transcribe(6000);
    std::size_t told = 0;
    for (const Segment& segment : segments_) {
      const auto is_text = [this](int token) { return token < tokenizer_.eot(); };
      const auto n_text = std::ranges::count_if(segment.tokens, is_text);
      EXPECT_EQ(segment.token_logprobs.size(), is_asked ? static_cast<std::size_t>(n_text) : 0);
      for (const auto& token : segment.token_logprobs) EXPECT_LE(token.logprob, 0);
      told += segment.token_logprobs.size();
    }
    EXPECT_EQ(told > 0, is_asked);
  }
}

TEST_F(SequentialTest, BeginsALittleBeforeTheFirstSoundAfterDigitalSilence) {
  options_.sample_len = 1;
  options_.no_speech_threshold = 2;  // nothing is silence
  const std::vector<float> silence(2700, -9);
  transcribe_after(silence, 500);
  EXPECT_EQ(seeks(), (std::vector<std::int64_t>{2670}));
  EXPECT_EQ(counts_.encodes, 1) << "detection hears the window that is decoded";
  options_.language = "en";
  transcribe_after(silence, 500);
  EXPECT_EQ(seeks(), (std::vector<std::int64_t>{2670}));
  options_.fallback = Fallback::openai;
  transcribe_after(silence, 500);
  EXPECT_EQ(seeks(), (std::vector<std::int64_t>{0, 3000}));
}

TEST_F(SequentialTest, AWindowThatIsTakenForSilenceEndsBeforeTheSoundInIt) {
  options_.language = "en";
  options_.no_speech_threshold = -1;  // all is silence
  std::vector<float> rustling;
  for (int frame = 0; frame < 2000; ++frame) rustling.push_back(frame / 50 % 2 == 0 ? -5 : -6);
  transcribe_after(rustling, 900);
  EXPECT_TRUE(segments_.empty());
  EXPECT_EQ(counts_.prompts, 2) << "from 0 and from 19.7 s";
  options_.fallback = Fallback::openai;
  transcribe_after(rustling, 900);
  EXPECT_EQ(counts_.prompts, 1);
}

TEST_F(SequentialTest, SteadyNoiseIsNotDecoded) {
  options_.language = "en";
  options_.sample_len = 1;
  options_.no_speech_threshold = 2;  // nothing is silence
  const std::vector<float> noise(5800, -2);
  transcribe_after(noise, 500);
  ASSERT_EQ(seeks().size(), 1u);
  EXPECT_NEAR(static_cast<double>(seeks()[0]), 5765, 10);
  EXPECT_EQ(counts_.encodes, 1);
  transcribe_after(noise, 0);
  EXPECT_EQ(counts_.encodes, 0);
  options_.no_speech_threshold.reset();
  transcribe_after(noise, 500);
  EXPECT_EQ(seeks(), (std::vector<std::int64_t>{0, 3000, 6000}));
}

TEST_F(SequentialTest, WhereVadHearsSpeechThereIsNoSilence) {
  options_.language = "en";
  options_.no_speech_threshold = -1;
  const Speech speech(std::vector<float>(157, 0.9F), 157 * 512);
  transcribe_after({}, 500, &speech);
  EXPECT_FALSE(segments_.empty());
  const Speech nobody(std::vector<float>(157, 0.01F), 157 * 512);
  transcribe_after({}, 500, &nobody);
  EXPECT_TRUE(segments_.empty());
  options_.fallback = Fallback::openai;
  transcribe_after({}, 500, &speech);
  EXPECT_TRUE(segments_.empty());
}

// There may be one place for windows: who waited for another while holding it would wait for ever.
TEST_F(SequentialTest, HoldsOneWindowAtATime) {
  options_.sample_len = 1;
  options_.language_detection_segments = 3;
  transcribe(9000);
  EXPECT_GE(counts_.encodes, 4);
  EXPECT_EQ(counts_.most_windows, 1u);
  options_.language_detection_candidates = 1;
  options_.language_detection_segments = 1;
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 2);
  EXPECT_EQ(counts_.most_windows, 1u);
}

TEST_F(SequentialTest, WhereThereIsLikelyNoSpeechOneLanguageIsDecoded) {
  options_.no_speech_threshold = 0;
  options_.logprob_threshold = -1000;  // so that its text counts
  transcribe(500);
  EXPECT_EQ(counts_.prompts, 1);
  EXPECT_EQ(counts_.most_together, 1u);
}

TEST_F(SequentialTest, AShortRecordingOfUnsureLanguageIsDecodedInSeveralSideBySide) {
  const std::string language = transcribe(500);
  EXPECT_EQ(counts_.prompts, 3);
  EXPECT_EQ(counts_.languages.size(), 3u);
  EXPECT_EQ(counts_.most_together, 3u);
  EXPECT_TRUE(counts_.languages.contains(*tokenizer_.language_token(language)));
  EXPECT_EQ(detected_, std::vector{language});

  // The segments handed out are what the language says by itself.
  const std::vector<Segment> found = segments_;
  options_.language = language;
  transcribe(500);
  EXPECT_EQ(counts_.prompts, 1);
  ASSERT_EQ(segments_.size(), found.size());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(segments_[0].tokens, found[0].tokens);
}

TEST_F(SequentialTest, OnlyLanguagesThatAreAllowedAreDecoded) {
  options_.languages = {"fr", "it"};
  const std::string language = transcribe(500);
  EXPECT_EQ(counts_.prompts, 2);
  EXPECT_TRUE(language == "fr" || language == "it");
}

TEST_F(SequentialTest, NothingElseIsDecodedInSeveralLanguages) {
  options_.sample_len = 1;
  transcribe(4000);  // two windows
  EXPECT_EQ(counts_.languages.size(), 1u);
  options_.language_detection_candidates = 1;
  transcribe(500);
  EXPECT_EQ(counts_.prompts, 1);
  options_.language_detection_candidates = 3;
  options_.multilingual = true;
  transcribe(500);
  EXPECT_EQ(counts_.prompts, 1);
  options_.multilingual = false;
  options_.task = Task::translate;
  transcribe(500);
  EXPECT_EQ(counts_.prompts, 1);
}

}  // namespace
}  // namespace engine
