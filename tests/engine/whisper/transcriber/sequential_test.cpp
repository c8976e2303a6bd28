#include "engine/whisper/transcriber/sequential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "engine/whisper/transcriber/short_trial.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/load_toy.h"
#include "tests/engine/whisper/model/random_window.h"

namespace engine {
namespace {

struct Counts {
  ShortWindows short_windows = ShortWindows::unsupported;  // what the model makes of them
  int encodes = 0;
  std::size_t most_windows = 0;  // that somebody holds at once
  int prompts = 0;
  std::set<int> languages;        // that prompts name
  std::size_t most_together = 0;  // decodes in one step
};

// A model that counts what is asked of it.
class CountingModel : public Model {
 public:
  CountingModel(std::unique_ptr<Model> model, Counts& counts)
      : model_(std::move(model)), counts_(counts) {}

  const ModelDims& dims() const override { return model_->dims(); }
  ShortWindows short_windows() const override { return counts_.short_windows; }
  std::vector<EncodedWindow> encode(std::span<const MelWindow> mels) override {
    std::vector<EncodedWindow> encoded = model_->encode(mels);
    counts_.encodes += static_cast<int>(mels.size());
    std::erase_if(windows_, [](const auto& window) { return window.expired(); });
    windows_.insert(windows_.end(), encoded.begin(), encoded.end());
    counts_.most_windows = std::max(counts_.most_windows, windows_.size());
    return encoded;
  }
  std::unique_ptr<DecodeState> start(EncodedWindow window, const ChoiceOptions& options) override {
    return model_->start(std::move(window), options);
  }
  std::unique_ptr<PendingStep> read_prompts(std::span<const Prompt> prompts) override {
    for (const Prompt& prompt : prompts) {
      ++counts_.prompts;
      counts_.languages.insert(prompt.tokens[1]);
    }
    return model_->read_prompts(prompts);
  }
  std::unique_ptr<PendingStep> step(std::span<DecodeState* const> states) override {
    counts_.most_together = std::max(counts_.most_together, states.size());
    return model_->step(states);
  }
  std::vector<float> logits(const EncodedWindow& window, std::span<const int> tokens) override {
    return model_->logits(window, tokens);
  }
  TokenAttention attend(const EncodedWindow& window, std::span<const int> tokens, int n_text,
                        std::span<const std::pair<int, int>> heads) override {
    return model_->attend(window, tokens, n_text, heads);
  }

 private:
  std::unique_ptr<Model> model_;
  Counts& counts_;
  std::vector<std::weak_ptr<const EncodedAudio>> windows_;
};

// The words of a model that has learned nothing mean nothing, and it is unsure of every language.
class SequentialTest : public ::testing::Test {
 protected:
  SequentialTest() {
    options_.temperatures = {0};
    options_.beam_size = 1;
    options_.sample_len = 8;
    options_.compression_ratio_threshold.reset();
    options_.logprob_threshold.reset();
    options_.no_speech_threshold.reset();
  }

  std::unique_ptr<Runner> start() {
    return Runner::start([this]() -> Result<std::unique_ptr<Model>> {
             return std::unique_ptr<Model>(
                 std::make_unique<CountingModel>(load_toy(toy_), counts_));
           })
        .value();
  }
  // Starts a model that computes short windows, or does so only if it is asked.
  void start_with(ShortWindows short_windows) {
    runner_.reset();
    counts_.short_windows = short_windows;
    runner_ = start();
  }

  std::string transcribe(std::int64_t frames) { return transcribe_after({}, frames); }

  // Transcribes frames of sound after others of one loudness each.
  std::string transcribe_after(const std::vector<float>& before, std::int64_t frames,
                               const Speech* speech = nullptr) {
    counts_ = {};
    detected_.clear();
    segments_.clear();
    MelSpool spool = MelSpool::create(80).value();
    for (const float loudness : before) {
      EXPECT_TRUE(spool.append({80, std::vector<float>(80, loudness)}));
    }
    EXPECT_TRUE(spool.append({80, random_numbers(static_cast<std::size_t>(frames * 80), 3)}));
    const auto content_frames = static_cast<std::int64_t>(before.size()) + frames;
    return transcribe_sequential(*runner_, tokenizer_, spool, content_frames, options_, sink_, {},
                                 speech)
        .value();
  }
  std::vector<std::int64_t> seeks() const {
    std::vector<std::int64_t> found;
    for (const Segment& segment : segments_) found.push_back(segment.seek);
    return found;
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
  Counts counts_;
  std::unique_ptr<Runner> runner_ = start();
  TranscriptionOptions options_;
  const TranscriptSink sink_ = [this](const TranscriptEvent& event) {
    if (const auto* segment = std::get_if<Segment>(&event)) segments_.push_back(*segment);
    if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
      detected_.push_back(found->language);
    }
    if (const auto* heard = std::get_if<protocol::LikeliestLanguages>(&event)) {
      likeliest_ = heard->languages;
    }
  };
  std::vector<protocol::LanguageDetected> likeliest_;
  std::vector<std::string> detected_;
  std::vector<Segment> segments_;
};

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
  transcribe_after(std::vector<float>(2000, -5), 900);
  EXPECT_TRUE(segments_.empty());
  EXPECT_EQ(counts_.prompts, 2) << "from 0 and from 19.7 s";
  options_.fallback = Fallback::openai;
  transcribe_after(std::vector<float>(2000, -5), 900);
  EXPECT_EQ(counts_.prompts, 1);
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

// The model of this test has learned nothing, so what it says is in doubt.
TEST_F(SequentialTest, AShortWindowWhoseTextIsInDoubtIsDecodedOnceMoreInFull) {
  if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  start_with(ShortWindows::by_default);
  options_.language = "en";
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 2);
  EXPECT_EQ(counts_.prompts, 2);
  EXPECT_EQ(counts_.most_windows, 1u);
  EXPECT_EQ(runner_->window_counts(), (protocol::WindowCounts{.checked = 1}));
  ASSERT_FALSE(segments_.empty());
  EXPECT_EQ(segments_[0].encoder_window, WindowKind::checked);

  const std::vector<int> found = segments_[0].tokens;
  options_.encoder_window = EncoderWindow::full;
  transcribe(500);
  EXPECT_EQ(counts_.encodes, 1);
  EXPECT_EQ(segments_[0].encoder_window, WindowKind::full);
  EXPECT_EQ(segments_[0].tokens, found);
  EXPECT_EQ(runner_->window_counts(), (protocol::WindowCounts{.full = 1, .checked = 1}));
}

TEST_F(SequentialTest, WindowsAreShortIfTheModelWasMeasuredOrTheOptionsSaySo) {
  if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  options_.language = "en";
  const auto encodes = [&](ShortWindows can, EncoderWindow wanted) {
    start_with(can);
    options_.encoder_window = wanted;
    transcribe(500);
    return counts_.encodes;  // two if the first window was short
  };
  EXPECT_EQ(encodes(ShortWindows::unsupported, EncoderWindow::shortened), 1);
  EXPECT_EQ(encodes(ShortWindows::on_request, EncoderWindow::automatic), 1);
  EXPECT_EQ(encodes(ShortWindows::on_request, EncoderWindow::shortened), 2);
  EXPECT_EQ(encodes(ShortWindows::by_default, EncoderWindow::automatic), 2);
  EXPECT_EQ(encodes(ShortWindows::by_default, EncoderWindow::full), 1);
  // Nothing would tell whether the text ends early.
  options_.without_timestamps = true;
  EXPECT_EQ(encodes(ShortWindows::by_default, EncoderWindow::automatic), 1);
}

TEST_F(SequentialTest, ClipsInFullAreGivenToATrial) {
  ShortTrial trial(*runner_, tokenizer_);
  const ShortTrial::Pause pause(&trial);
  options_.language = "en";
  options_.short_trial = &trial;
  const auto transcribe_some = [&] {
    for (std::size_t i = 0; i < ShortTrial::most_waiting; ++i) transcribe(500);
  };
  options_.encoder_window = EncoderWindow::full;
  transcribe_some();
  EXPECT_TRUE(trial.wants_clip()) << "somebody has chosen";
  options_.encoder_window = EncoderWindow::automatic;
  transcribe_some();
  EXPECT_FALSE(trial.wants_clip());
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
