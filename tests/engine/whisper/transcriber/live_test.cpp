#include "engine/whisper/transcriber/live.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/transcriber/scripted_live.h"

namespace engine {
namespace {

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

TEST_F(LiveTest, HearsAllOfALongTurnThatComesAtOnce) {
  source_.begin();
  source_.speech(95, 95);
  source_.end(protocol::TurnCause::end);
  source_.finish();
  EXPECT_DOUBLE_EQ(transcribe().value().duration_s, 95);
  EXPECT_GE(looks_.size(), 9u);
  EXPECT_DOUBLE_EQ(turns_.at(0).end_s, 95);
  EXPECT_DOUBLE_EQ(looks_.back().heard_s, 95);
  EXPECT_FALSE(told_[1].empty());
  EXPECT_FALSE(text_of(turns_[0]).empty());
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
