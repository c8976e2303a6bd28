#include "engine/whisper/transcriber/live.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/whisper/model/torch_model.h"
#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

constexpr std::int64_t second = 16'000;

// Gives what it was told to, some pieces at a time.
class ScriptedSource : public LiveSource {
 public:
  Result<std::vector<live::Piece>> take(std::chrono::milliseconds) override {
    if (next_ == script_.size()) return Error{Errc::input_failed, "gone", ""};
    return std::vector<live::Piece>{script_[next_++]};
  }
  void note_sentence_end(bool) override { ++notes_; }

  void begin(bool is_speech = true) {
    script_.emplace_back(live::TurnBegan{++turn_, at_, is_speech});
  }
  // Noise in pieces, then silence.
  void speech(double seconds, double piece_s = 0.1) { sound(seconds, piece_s, 0.1F); }
  void silence(double seconds) { sound(seconds, 0.1, 0); }
  void end(protocol::TurnCause cause = protocol::TurnCause::silence) {
    script_.emplace_back(live::TurnEnded{turn_, at_, cause});
    silent_ = 0;
  }
  void drop() { script_.emplace_back(live::TurnDropped{turn_}); }
  void configure(protocol::LiveSettings settings) {
    script_.emplace_back(live::Configured{std::move(settings)});
  }
  void finish() { script_.emplace_back(live::Ended{at_}); }
  void skip(double seconds) { at_ += samples(seconds); }

  int notes() const { return notes_; }

 private:
  static std::int64_t samples(double seconds) { return std::llrint(seconds * second); }

  void sound(double seconds, double piece_s, float loudness) {
    for (std::int64_t left = samples(seconds); left > 0;) {
      const std::int64_t count = std::min(left, samples(piece_s));
      const at::Tensor noise = at::randn({count}) * loudness;
      const auto* const first = noise.const_data_ptr<float>();
      silent_ = loudness > 0 ? 0 : silent_ + count;
      script_.emplace_back(live::Sound{turn_, at_, {first, first + count}, silent_});
      at_ += count;
      left -= count;
    }
  }

  std::vector<live::Piece> script_;
  std::size_t next_ = 0;
  int turn_ = 0;
  std::int64_t at_ = 0;
  std::int64_t silent_ = 0;
  int notes_ = 0;
};

// A model that has learned nothing says nothing of meaning, but takes sound in and hands words out
// as any other.
class LiveTest : public testing::Test {
 protected:
  LiveTest() {
    at::manual_seed(7);
    options_.language = "en";
    options_.temperatures = {0};
    options_.compression_ratio_threshold.reset();
    options_.logprob_threshold.reset();
    options_.no_speech_threshold.reset();
    options_.loop_detection = false;
    options_.live_margin = 0;  // where such a model looks for its words means nothing
    options_.sample_len = 12;
    options_.beam_size = 1;
  }

  void take(const TranscriptEvent& event) {
    if (const auto* found = std::get_if<protocol::LanguageDetected>(&event)) {
      language_ = found->language;
      ++languages_;
    } else if (const auto* segment = std::get_if<Segment>(&event)) {
      EXPECT_EQ(segment->id, static_cast<int>(segments_.size()));
      segments_.push_back(*segment);
    } else if (const auto* text = std::get_if<protocol::LiveText>(&event)) {
      looks_.push_back(*text);
    } else if (const auto* words = std::get_if<protocol::LiveWords>(&event)) {
      EXPECT_FALSE(words->words.empty());
      for (const protocol::Word& word : words->words) told_[words->turn] += word.word;
    } else if (const auto* turn = std::get_if<protocol::TurnEnded>(&event)) {
      turns_.push_back(*turn);
    }
  }

  Result<Recognized> transcribe() {
    const TranscriptSink sink = [this](const TranscriptEvent& event) { take(event); };
    return transcribe_live(*runner_, tokenizer_, options_, live_, source_, sink, stop_.get_token());
  }
  static std::string text_of(const protocol::TurnEnded& turn) {
    std::string text;
    for (const protocol::Word& word : turn.words) text += word.word;
    return text;
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
  std::unique_ptr<Runner> runner_ = Runner::start({at::kCPU, 1}, [this] {
                                      return load_torch_model(toy_.weights(), Placement{});
                                    }).value();
  TranscriptionOptions options_;
  protocol::LiveOptions live_;
  ScriptedSource source_;
  std::stop_source stop_;
  std::string language_;
  int languages_ = 0;  // that it was told of
  std::vector<Segment> segments_;
  std::vector<protocol::LiveText> looks_;
  std::map<int, std::string> told_;  // the words of each turn
  std::vector<protocol::TurnEnded> turns_;
};

TEST_F(LiveTest, EndsEachTurnWithTheWordsThatItTold) {
  for (int turn = 0; turn < 2; ++turn) {
    source_.begin();
    source_.speech(2);
    source_.silence(0.5);
    source_.end();
    source_.skip(1);
  }
  source_.finish();
  const Recognized result = transcribe().value();
  EXPECT_EQ(result.language, "en");
  EXPECT_DOUBLE_EQ(result.duration_s, 7);
  ASSERT_EQ(turns_.size(), 2u);
  for (const protocol::TurnEnded& turn : turns_) {
    EXPECT_FALSE(turn.text.empty());
    EXPECT_EQ(told_[turn.turn], text_of(turn));
    EXPECT_EQ(turn.language, "en");
    EXPECT_EQ(turn.cause, protocol::TurnCause::silence);
  }
  EXPECT_DOUBLE_EQ(turns_[1].start_s, 3.5);
  EXPECT_DOUBLE_EQ(turns_[1].end_s, 6);
  EXPECT_TRUE(segments_.empty());
  EXPECT_EQ(looks_.back().tail, "");
  EXPECT_GT(source_.notes(), 0);
}

TEST_F(LiveTest, WordsLieWithinTheirTurnAndDoNotGoBack) {
  source_.skip(100);
  source_.begin();
  source_.speech(12);
  source_.silence(0.5);
  source_.end();
  source_.finish();
  transcribe().value();
  ASSERT_EQ(turns_.size(), 1u);
  double last = 100;
  for (const protocol::Word& word : turns_[0].words) {
    EXPECT_GE(word.start, last);
    EXPECT_GE(word.end, word.start);
    last = word.end;
  }
  EXPECT_LE(last, 112.5);
}

TEST_F(LiveTest, NothingIsHeardInSilence) {
  source_.begin(/*is_speech=*/false);
  source_.silence(10);
  source_.end(protocol::TurnCause::client);
  source_.finish();
  transcribe().value();
  ASSERT_EQ(turns_.size(), 1u);
  EXPECT_EQ(turns_[0].text, "");
  EXPECT_EQ(turns_[0].cause, protocol::TurnCause::client);
  EXPECT_GE(looks_.size(), 9u) << "the position moves on";
  EXPECT_LE(looks_.size(), 12u);
}

TEST_F(LiveTest, APassInTheSilenceIsTheLastOne) {
  source_.begin();
  source_.speech(0.5);  // too little for a pass that speech goes on behind
  source_.silence(3);
  source_.end();
  source_.finish();
  transcribe().value();
  const auto has_tail = [](const protocol::LiveText& look) { return !look.tail.empty(); };
  ASSERT_TRUE(std::ranges::any_of(looks_, has_tail) || !told_[1].empty());
  EXPECT_NEAR(looks_.front().heard_s, 0.7, 0.11);
  ASSERT_EQ(turns_.size(), 1u);
  EXPECT_FALSE(turns_[0].text.empty());
}

TEST_F(LiveTest, HearsAllOfALongTurnThatComesAtOnce) {
  source_.begin();
  source_.speech(95, 95);
  source_.end(protocol::TurnCause::end);
  source_.finish();
  EXPECT_DOUBLE_EQ(transcribe().value().duration_s, 95);
  EXPECT_GE(looks_.size(), 9u);
  EXPECT_DOUBLE_EQ(turns_.at(0).end_s, 95);
  EXPECT_EQ(told_[1], text_of(turns_[0]));
}

TEST_F(LiveTest, HearsSoundBeforeItIsLeftBehindHoweverLongThePeriod) {
  options_.live_chunk = 25;
  source_.begin();
  source_.speech(24, 1);
  source_.end(protocol::TurnCause::end);
  source_.finish();
  transcribe().value();
  const auto heard = std::ranges::find_if(
      looks_, [](const auto& look) { return !look.text.empty() || !look.tail.empty(); });
  ASSERT_NE(heard, looks_.end());
  EXPECT_DOUBLE_EQ(heard->heard_s, 21);
}

TEST_F(LiveTest, OfARecordingTellsSegments) {
  options_.live_chunk = 1;
  options_.word_timestamps = true;
  source_.begin();
  source_.speech(40, 1);
  source_.end(protocol::TurnCause::end);
  source_.finish();
  transcribe().value();
  EXPECT_TRUE(turns_.empty());
  EXPECT_TRUE(told_.empty());
  ASSERT_FALSE(segments_.empty());
  EXPECT_FALSE(segments_[0].words.empty());
  for (std::size_t i = 1; i < segments_.size(); ++i) {
    EXPECT_GE(segments_[i].start, segments_[i - 1].end) << i;
  }
  EXPECT_EQ(looks_.back().text, "");
  EXPECT_EQ(looks_.back().tail, "");
}

TEST_F(LiveTest, ASecondLookHearsTheWholeTurnAgain) {
  const auto run = [this](bool second_look) {
    at::manual_seed(7);
    source_ = ScriptedSource();
    live_.second_look = second_look;
    turns_.clear();
    told_.clear();
    source_.skip(10);
    source_.begin();
    source_.speech(3);
    source_.silence(0.5);
    source_.end();
    source_.finish();
    transcribe().value();
    return turns_.at(0);
  };
  const auto first = run(false);
  const auto second = run(true);
  EXPECT_NE(second.text, first.text) << "timestamps make another text";
  EXPECT_FALSE(told_[1].empty());
  ASSERT_FALSE(second.words.empty());
  EXPECT_GE(second.words.front().start, 10);
  EXPECT_LE(second.words.back().end, 13.6);
}

TEST_F(LiveTest, ATurnThatIsDroppedIsForgotten) {
  source_.begin();
  source_.speech(1);
  source_.drop();
  source_.begin();
  source_.speech(1);
  source_.silence(0.5);
  source_.end();
  source_.finish();
  transcribe().value();
  ASSERT_EQ(turns_.size(), 1u);
  EXPECT_EQ(turns_[0].turn, 2);
}

TEST_F(LiveTest, APromptThatIsConfiguredHoldsBehindADroppedTurn) {
  const auto run = [this](bool in_turn, const std::string& prompt) {
    at::manual_seed(7);
    source_ = ScriptedSource();
    turns_.clear();
    told_.clear();
    protocol::LiveSettings settings;
    settings.language = "en";
    settings.initial_prompt = prompt;
    source_.begin();
    source_.speech(0.5);
    if (in_turn) source_.configure(settings);
    source_.drop();
    if (!in_turn) source_.configure(settings);
    source_.begin();
    source_.speech(0.5);
    source_.silence(0.5);
    source_.end();
    source_.finish();
    transcribe().value();
    return turns_.at(0).text;
  };
  const std::string prompt = "Wagner, Bizet, Verdi, Puccini, Rossini";
  EXPECT_EQ(run(true, prompt), run(false, prompt));
  EXPECT_NE(run(true, prompt), run(true, "")) << "the prompt is heard";
}

TEST_F(LiveTest, SettlesTheLanguageOnceUnlessItIsConfigured) {
  options_.language.clear();
  source_.begin();
  source_.speech(6);
  source_.silence(0.5);
  source_.end();
  protocol::LiveSettings settings;
  settings.language = "german";
  source_.configure(settings);
  source_.begin();
  source_.speech(1);
  source_.silence(0.5);
  source_.end();
  source_.finish();
  const Recognized result = transcribe().value();
  EXPECT_EQ(languages_, 1);
  EXPECT_EQ(turns_.at(0).language, language_);
  EXPECT_EQ(turns_.at(1).language, "de");
  EXPECT_EQ(result.language, "de");
}

TEST_F(LiveTest, AShortTurnHasALanguageThatIsNotSettled) {
  options_.language.clear();
  source_.begin();
  source_.speech(1);
  source_.silence(0.5);
  source_.end();
  source_.finish();
  const Recognized result = transcribe().value();
  EXPECT_FALSE(turns_.at(0).language.empty());
  EXPECT_EQ(result.language, turns_[0].language);
  EXPECT_EQ(languages_, 1) << "at the end of all";
}

TEST_F(LiveTest, OfNoSoundSaysNothing) {
  options_.language.clear();
  source_.finish();
  EXPECT_DOUBLE_EQ(transcribe().value().duration_s, 0);
  EXPECT_TRUE(turns_.empty());
  EXPECT_EQ(language_, "");
}

TEST_F(LiveTest, EndsWithWhatEndsItsSound) {
  source_.begin();
  EXPECT_EQ(transcribe().error().code, Errc::input_failed);
}

TEST_F(LiveTest, StopsWithinAPass) {
  stop_.request_stop();
  source_.begin();
  source_.speech(5);
  EXPECT_EQ(transcribe().error().code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
