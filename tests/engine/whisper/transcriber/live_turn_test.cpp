#include "engine/whisper/transcriber/live_turn.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/scripted_live.h"

namespace engine {
namespace {

TEST_F(LiveTest, EndsEachTurnWithItsWords) {
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
    EXPECT_FALSE(told_[turn.turn].empty());
    EXPECT_EQ(turn.text, text_of(turn));
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

TEST_F(LiveTest, ATurnEndsWithItsWordsAsOnePassHearsThem) {
  const auto last_turn = [this](double heard_before_s) {
    source_ = ScriptedSource();
    turns_.clear();
    told_.clear();
    source_.begin();
    source_.speech(9, heard_before_s);
    source_.silence(0.5);
    source_.end();
    source_.finish();
    transcribe().value();
    return turns_.at(0).text;
  };
  const auto in_one_pass = last_turn(9);
  EXPECT_EQ(last_turn(1), in_one_pass);
  EXPECT_NE(told_[1], in_one_pass) << "words became sure before the rest was heard";
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

TEST_F(LiveTest, LooksAreEncodedShortIfTheOptionsSaySo) {
  const auto counts_with = [this](EncoderWindow wanted) {
    options_.encoder_window = wanted;
    const auto before = runner_->window_counts();
    source_ = ScriptedSource();
    source_.turn(2);
    source_.finish();
    transcribe().value();
    const auto counts = runner_->window_counts();
    return std::pair(counts.full - before.full,
                     counts.shortened + counts.checked - before.shortened - before.checked);
  };
  const auto in_full = counts_with(EncoderWindow::full);
  EXPECT_GE(in_full.first, 3);
  EXPECT_EQ(in_full.second, 0);
  EXPECT_EQ(counts_with(EncoderWindow::automatic), in_full) << "a toy is not measured";
  EXPECT_EQ(counts_with(EncoderWindow::shortened), std::pair(0, in_full.first));
}

TEST_F(LiveTest, ALastLookThatLeavesSpeechOutIsHeardInFull) {
  options_.sample_len = 1;
  const auto text_in = [this](EncoderWindow wanted) {
    options_.encoder_window = wanted;
    source_ = ScriptedSource();
    turns_.clear();
    source_.begin();
    source_.speech(9, 9);
    source_.silence(0.5);
    source_.end();
    source_.finish();
    transcribe().value();
    return turns_.at(0).text;
  };
  const auto in_full = text_in(EncoderWindow::full);
  EXPECT_EQ(text_in(EncoderWindow::shortened), in_full);
  EXPECT_GT(runner_->window_counts().checked, 0);
}

TEST_F(LiveTest, ASecondLookHearsTheWholeTurnAgain) {
  const auto run = [this](bool second_look) {
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

TEST_F(LiveTest, ALongTurnHasNoSecondLook) {
  const auto run = [this](bool second_look) {
    source_ = ScriptedSource();
    live_.second_look = second_look;
    turns_.clear();
    source_.begin();
    source_.speech(61, 10);
    source_.end();
    source_.finish();
    transcribe().value();
    return turns_.at(0).text;
  };
  EXPECT_EQ(run(true), run(false));
}

TEST_F(LiveTest, ATurnThatFollowsCloselyIsHeardWithTheSoundBeforeIt) {
  const auto second_turn = [this](double pause_s) {
    source_ = ScriptedSource();
    turns_.clear();
    source_.turn(0.5);  // heard in one pass, however long that takes
    source_.skip(pause_s);
    source_.turn(0.5);
    source_.finish();
    transcribe().value();
    return turns_.at(1);
  };
  const auto close = second_turn(0.1);
  EXPECT_NE(close.text, second_turn(3).text);
  EXPECT_EQ(close.text, second_turn(0.1).text);
  ASSERT_FALSE(close.words.empty());
  EXPECT_GE(close.words.front().start, 1.1) << "words of the turn before are not its own";
}

TEST_F(LiveTest, ADroppedTurnLeavesTheSoundBeforeItAsItWas) {
  const auto last_turn = [this](bool is_dropped) {
    source_ = ScriptedSource();
    turns_.clear();
    source_.turn(0.5);
    if (is_dropped) {
      source_.begin();
      source_.speech(0.2);
      source_.drop();
    } else {
      source_.skip(0.2);
    }
    source_.turn(0.5);
    source_.finish();
    transcribe().value();
    return turns_.back().text;
  };
  EXPECT_EQ(last_turn(true), last_turn(false));
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

}  // namespace
}  // namespace engine
