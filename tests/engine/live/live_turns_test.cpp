#include "engine/live/live_turns.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/live/loud_is_speech.h"

namespace engine {
namespace {

constexpr std::int64_t chunk = TurnDetector::chunk_samples;

// A turn is padded by five chunks, ended by five, and begun by three.
protocol::LiveOptions by_silence() {
  return {.turn_detection = protocol::TurnDetection{.prefix_padding_ms = 5 * 32,
                                                    .silence_duration_ms = 5 * 32,
                                                    .min_speech_duration_ms = 3 * 32}};
}

protocol::LiveOptions by_commits() {
  return {.turn_detection = std::nullopt};
}

class LiveTurnsTest : public testing::Test {
 protected:
  explicit LiveTurnsTest(ListenForSpeech listen = loud_is_speech())
      : turns_(std::move(listen), pieces_,
               [this](const protocol::TranscriptEvent& event) { note(event); }) {}

  // No two samples of a second are the same, so that each piece of sound can be told.
  void hear(std::int64_t samples, bool is_loud) {
    std::vector<float> sound;
    for (std::int64_t i = 0; i < samples; ++i) {
      const auto place = static_cast<float>((session_.size() + sound.size()) % 16'000);
      sound.push_back((is_loud ? 0.5F : 0.0F) + place * 1e-7F);
    }
    session_.insert(session_.end(), sound.begin(), sound.end());
    turns_.push(sound);
  }
  void say(std::int64_t chunks) { hear(chunks * chunk, true); }
  void rest(std::int64_t chunks) { hear(chunks * chunk, false); }

  Result<void> wish(std::int64_t sample, decltype(live::Wish::what) what) {
    return turns_.apply({sample, std::move(what)});
  }

  void note(const protocol::TranscriptEvent& event) {
    if (const auto* started = std::get_if<protocol::SpeechStarted>(&event)) {
      events_.push_back("started " + std::to_string(started->turn) + " " +
                        std::to_string(std::llround(started->start_s * 16'000)));
    } else if (const auto* stopped = std::get_if<protocol::SpeechStopped>(&event)) {
      events_.push_back("stopped " + std::to_string(stopped->turn) + " " +
                        std::to_string(std::llround(stopped->end_s * 16'000)));
    } else if (const auto* progress = std::get_if<protocol::Progress>(&event)) {
      seconds_.push_back(progress->position_s);
    }
  }

  std::string text(const live::TurnBegan& began) {
    return (began.is_speech ? "began " : "unheard ") + std::to_string(began.turn) + " " +
           std::to_string(began.begin);
  }
  std::string text(const live::Sound& sound) {
    const auto end = sound.begin + static_cast<std::int64_t>(sound.samples.size());
    EXPECT_EQ(sound.samples,
              std::vector<float>(session_.begin() + sound.begin, session_.begin() + end));
    return "sound " + std::to_string(sound.begin) + "-" + std::to_string(end) +
           (sound.silent > 0 ? " silent " + std::to_string(sound.silent) : "");
  }
  std::string text(const live::TurnEnded& ended) {
    constexpr std::array causes{"silence", "client", "limit", "end"};
    return "ended " + std::to_string(ended.turn) + " " + std::to_string(ended.end) + " " +
           causes.at(static_cast<std::size_t>(ended.cause));
  }
  std::string text(const live::TurnDropped& dropped) {
    return "dropped " + std::to_string(dropped.turn);
  }
  std::string text(const live::Configured& configured) {
    return "configured " + configured.settings.language;
  }
  std::string text(const live::Ended& ended) { return "end " + std::to_string(ended.samples); }

  std::vector<std::string> pieces() {
    const auto taken = pieces_.take(std::chrono::milliseconds(0), {});
    std::vector<std::string> told;
    for (const auto& piece : *taken) {
      told.push_back(std::visit([this](const auto& one) { return text(one); }, piece));
    }
    return told;
  }

  using Told = std::vector<std::string>;

  LivePieces pieces_;
  LiveTurns turns_;
  std::vector<float> session_;
  Told events_;
  std::vector<double> seconds_;
};

TEST_F(LiveTurnsTest, ATurnHasItsSoundAndHalfASecondBeforeItAndWhatIsBetweenTwoIsDropped) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  rest(20);
  say(4);
  rest(60);
  say(10);
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"began 1 7680", "sound 0-14848 silent 2560", "ended 1 14848 silence",
                            "began 2 40448", "sound 32448-48128"}));
  EXPECT_EQ(events_, (Told{"started 1 7680", "stopped 1 14848", "started 2 40448"}));
}

TEST_F(LiveTurnsTest, SoundBelongsToOneTurn) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  say(10);
  rest(12);
  say(4);
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"began 1 0", "sound 0-7680 silent 2560", "ended 1 7680 silence",
                            "began 2 8704", "sound 7680-13312"}));
}

TEST_F(LiveTurnsTest, SizesOfPiecesMakeNoDifference) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  for (int i = 0; i < 20 * 512 / 160; ++i) {
    hear(160, false);
    turns_.advance();
  }
  hear(10'240, true);
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"began 1 7680", "sound 0-20480"}));
}

TEST_F(LiveTurnsTest, ACommitEndsATurnAtItsVerySample) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  say(20);
  ASSERT_TRUE(wish(10 * chunk + 100, live::Commit{}));
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"began 1 0", "sound 0-5220", "ended 1 5220 client", "began 2 5220",
                            "sound 5220-10240"}));
  EXPECT_EQ(events_, (Told{"started 1 0", "started 2 5220"}));
}

TEST_F(LiveTurnsTest, AWishThatComesLateHoldsAtOnce) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  say(20);
  turns_.advance();
  ASSERT_TRUE(wish(10 * chunk, live::Commit{}));
  EXPECT_EQ(pieces(), (Told{"began 1 0", "sound 0-10240", "ended 1 10240 client"}));
}

TEST_F(LiveTurnsTest, ACommitWithoutSpeechIsATurnWithoutSound) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  rest(20);
  ASSERT_TRUE(wish(5'000, live::Commit{}));
  ASSERT_TRUE(wish(5'000, live::Commit{}));
  EXPECT_EQ(pieces(),
            (Told{"unheard 1 0", "ended 1 5000 client", "unheard 2 5000", "ended 2 5000 client"}));
  EXPECT_EQ(events_, Told{});
}

TEST_F(LiveTurnsTest, SpeechTooShortForATurnCountsWhereItIsCommitted) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  rest(20);
  say(2);
  turns_.advance();
  EXPECT_EQ(pieces(), Told{});
  ASSERT_TRUE(wish(22 * chunk, live::Commit{}));
  EXPECT_EQ(pieces(), (Told{"began 1 7680", "sound 0-11264", "ended 1 11264 client"}));
}

TEST_F(LiveTurnsTest, ClearForgetsWhatIsSinceTheLastTurn) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  say(10);
  ASSERT_TRUE(wish(10 * chunk, live::Clear{}));
  say(4);
  turns_.advance();
  EXPECT_EQ(pieces(),
            (Told{"began 1 0", "sound 0-5120", "dropped 1", "began 2 5120", "sound 5120-7168"}));
  // Without a turn at hand there is nothing to say.
  rest(20);
  turns_.advance();
  pieces();
  ASSERT_TRUE(wish(34 * chunk, live::Clear{}));
  ASSERT_TRUE(wish(34 * chunk, live::Commit{}));
  EXPECT_EQ(pieces(), (Told{"unheard 3 17408", "ended 3 17408 client"}));
}

TEST_F(LiveTurnsTest, WithoutTurnDetectionOnlyCommitsEndTurns) {
  ASSERT_TRUE(turns_.configure(by_commits()));
  rest(100);
  say(10);
  rest(100);
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"began 1 43200", "sound 35200-107520 silent 51200"}));
  ASSERT_TRUE(wish(210 * chunk, live::Commit{}));
  EXPECT_EQ(pieces(), Told{"ended 1 107520 client"});
  EXPECT_EQ(events_, Told{"started 1 43200"});
}

TEST_F(LiveTurnsTest, SettingsChangeAtTheirSample) {
  ASSERT_TRUE(turns_.configure(by_commits()));
  say(10);
  rest(10);
  ASSERT_TRUE(wish(12 * chunk, protocol::LiveSettings{.live = by_silence(), .language = "de"}));
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"began 1 0", "sound 0-6144 silent 1024", "configured de",
                            "sound 6144-7680 silent 2560", "ended 1 7680 silence"}));
}

TEST_F(LiveTurnsTest, MorePaddingThanBeforeBeginsNoTurnInSoundThatIsGone) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  rest(63);
  turns_.advance();
  auto padded = by_silence();
  padded.turn_detection->prefix_padding_ms = 100 * 32;
  ASSERT_TRUE(wish(63 * chunk, protocol::LiveSettings{.live = padded, .language = "de"}));
  say(4);
  turns_.advance();
  EXPECT_EQ(pieces(), (Told{"configured de", "began 1 21696", "sound 21696-34304"}));
  EXPECT_EQ(events_, Told{"started 1 21696"});
}

TEST_F(LiveTurnsTest, AFinishedSentenceIsForgottenWithItsTurn) {
  auto options = by_silence();
  options.turn_detection->unfinished_silence_ms = 10 * 32;
  ASSERT_TRUE(turns_.configure(options));
  say(10);
  turns_.advance();
  turns_.note_sentence_end(true);
  rest(5);
  say(10);
  rest(9);
  turns_.advance();
  EXPECT_EQ(events_, (Told{"started 1 0", "stopped 1 7680", "started 2 7680"}));
  rest(1);
  turns_.advance();
  EXPECT_EQ(events_.back(), "stopped 2 17920");
}

TEST_F(LiveTurnsTest, TheEndOfTheSoundEndsTheTurnAtHand) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  say(10);
  hear(100, true);
  turns_.finish();
  EXPECT_EQ(pieces(), (Told{"began 1 0", "sound 0-5220", "ended 1 5220 end", "end 5220"}));
}

TEST_F(LiveTurnsTest, AtTheEndOfASilenceThereIsNoTurn) {
  ASSERT_TRUE(turns_.configure(by_commits()));
  rest(10);
  turns_.finish();
  EXPECT_EQ(pieces(), Told{"end 5120"});
}

TEST_F(LiveTurnsTest, SaysEverySecondHowFarASilenceIs) {
  ASSERT_TRUE(turns_.configure(by_silence()));
  rest(60);
  say(40);
  turns_.advance();
  EXPECT_EQ(seconds_, (std::vector<double>{32 * 0.032}));
  rest(40);
  turns_.advance();
  EXPECT_EQ(seconds_.size(), 3u);
}

TEST_F(LiveTurnsTest, TenMinutesOfSilenceLeaveNothing) {
  ASSERT_TRUE(turns_.configure(by_commits()));
  const std::vector<float> second(16'000);
  for (int i = 0; i < 600; ++i) {
    turns_.push(second);
    turns_.advance();
  }
  EXPECT_EQ(pieces(), Told{});
  EXPECT_EQ(seconds_.size(), 585u) << "a second is told in whole chunks";
}

// Nobody listens for speech.
class DeafTurnsTest : public LiveTurnsTest {
 protected:
  DeafTurnsTest() : LiveTurnsTest(ListenForSpeech()) {}
};

TEST_F(DeafTurnsTest, AllSoundIsOfATurnAndNothingIsToldOfIt) {
  ASSERT_TRUE(turns_.configure(by_commits()));
  rest(10);
  ASSERT_TRUE(wish(4'000, live::Commit{}));
  turns_.finish();
  EXPECT_EQ(pieces(), (Told{"began 1 0", "sound 0-4000", "ended 1 4000 client", "began 2 4000",
                            "sound 4000-5120", "ended 2 5120 end", "end 5120"}));
  EXPECT_EQ(events_, Told{});
}

TEST_F(DeafTurnsTest, TurnDetectionNeedsSomebodyWhoListens) {
  const auto configured = turns_.configure(by_silence());
  ASSERT_FALSE(configured);
  EXPECT_EQ(configured.error().code, Errc::not_found);
  EXPECT_NE(configured.error().fix.find("scribed models pull silero-vad"), std::string::npos);
  EXPECT_FALSE(wish(0, protocol::LiveSettings{.live = by_silence()}));
}

}  // namespace
}  // namespace engine
