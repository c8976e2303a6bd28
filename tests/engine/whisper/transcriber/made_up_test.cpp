#include "engine/whisper/transcriber/made_up.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine {
namespace {

constexpr std::int64_t samples_of_chunk = 512;

Segment heard_text(double start, double end, std::string text) {
  Segment one;
  one.start = start;
  one.end = end;
  one.text = std::move(text);
  return one;
}

// A recording of a minute in which VAD hears speech in the first half alone.
class MadeUpTest : public ::testing::Test {
 protected:
  static Speech speech() {
    std::vector<float> probabilities(60 * 16'000 / samples_of_chunk, 0.01F);
    std::fill_n(probabilities.begin(), probabilities.size() / 2, 0.9F);
    const auto samples = static_cast<std::int64_t>(probabilities.size()) * samples_of_chunk;
    return {std::move(probabilities), samples};
  }

  std::vector<std::string> texts_of(std::vector<Segment> segments, const Clip& window,
                                    bool is_last = false) {
    EXPECT_TRUE(made_up_->remove_from(segments, window, is_last));
    left_ = segments;
    std::vector<std::string> texts;
    for (const Segment& segment : segments) texts.push_back(segment.text);
    return texts;
  }
  void give_prompt(std::string prompt) {
    TranscriptionOptions options;
    options.initial_prompt = std::move(prompt);
    made_up_.emplace(options, hearing_);
  }

  using Texts = std::vector<std::string>;

  MelSpool spool_ = MelSpool::create(80).value();
  Speech speech_ = speech();
  Hearing hearing_{spool_, 6000, &speech_};
  std::optional<MadeUp> made_up_{std::in_place, TranscriptionOptions(), hearing_};
  std::vector<Segment> left_;
};

TEST_F(MadeUpTest, ThePromptIsDroppedWhereNobodySpeaks) {
  give_prompt("Dr. Miller speaks about the meeting.");
  const Segment there = heard_text(5, 9, " Dr. Miller speaks about the meeting.");
  const Segment nowhere = heard_text(40, 44, " Dr. Miller speaks about the meeting.");
  const Segment other = heard_text(45, 48, " A quiet sentence that VAD has missed.");
  EXPECT_EQ(texts_of({there}, {0, 3000}), Texts{there.text});
  EXPECT_EQ(texts_of({nowhere, other}, {3000, 6000}), Texts{other.text});
}

TEST_F(MadeUpTest, ThePromptIsDroppedTogetherWithASentenceOfBefore) {
  give_prompt("Dr. Miller speaks about the meeting.");
  EXPECT_EQ(texts_of({heard_text(5, 9, " It is a fine day.")}, {0, 3000}),
            Texts{" It is a fine day."});
  const Segment both =
      heard_text(40, 44, " Dr. Miller speaks about the meeting. It is a fine day.");
  EXPECT_EQ(texts_of({both}, {3000, 6000}), Texts());
}

TEST_F(MadeUpTest, WhatTheLastWindowRepeatsIsDroppedWhereItCannotBeSaidInTheTime) {
  const std::string long_one = " Thunderstorms could produce large hail and isolated tornadoes.";
  EXPECT_EQ(texts_of({heard_text(0, 25, long_one)}, {0, 2500}), Texts{long_one});
  EXPECT_EQ(texts_of({heard_text(25, 35, long_one)}, {2500, 2610}, true), Texts());
}

TEST_F(MadeUpTest, WhoSaysItTwiceHasSaidItTwice) {
  EXPECT_EQ(texts_of({heard_text(0, 25, " Thank you.")}, {0, 2500}), Texts{" Thank you."});
  EXPECT_EQ(texts_of({heard_text(25, 26, " Thank you.")}, {2500, 2600}, true),
            Texts{" Thank you."});
}

TEST_F(MadeUpTest, ASentenceThatIsRepeatedWhereNobodySpeaksIsDropped) {
  const std::string sentence = " You may find some helpful information.";
  EXPECT_EQ(texts_of({heard_text(0, 25, sentence)}, {0, 2500}), Texts{sentence});
  EXPECT_EQ(texts_of({heard_text(26, 29, sentence)}, {2500, 5500}), Texts{sentence});
  EXPECT_EQ(texts_of({heard_text(40, 44, sentence)}, {3500, 5500}), Texts());
}

TEST_F(MadeUpTest, AWordThatIsRepeatedWhereNobodySpeaksIsDroppedInTheLastWindowAlone) {
  EXPECT_EQ(texts_of({heard_text(0, 25, " Thank you.")}, {0, 2500}), Texts{" Thank you."});
  EXPECT_EQ(texts_of({heard_text(40, 44, " Thank you.")}, {3500, 5500}), Texts{" Thank you."});
  EXPECT_EQ(texts_of({heard_text(55, 59, " Thank you.")}, {5500, 6000}, true), Texts());
}

TEST_F(MadeUpTest, NothingEndsBehindItsWindow) {
  Segment late = heard_text(15, 24.5, " And so on.");
  late.words = {{.start = 15, .end = 17.5, .word = " And"},
                {.start = 17.5, .end = 24.5, .word = " so"}};
  EXPECT_EQ(texts_of({late, heard_text(24.5, 26, " Behind the end.")}, {0, 1675}),
            Texts{" And so on."});
  EXPECT_EQ(left_[0].end, 16.75);
  EXPECT_EQ(left_[0].words[0].end, 16.75);
  EXPECT_EQ(left_[0].words[1].start, 16.75);
}

TEST_F(MadeUpTest, NothingIsSaidBehindAPrefix) {
  const Segment empty = heard_text(5, 9, "");
  EXPECT_EQ(texts_of({empty}, {0, 3000}), Texts{""});
  TranscriptionOptions options;
  options.prefix = "Well,";
  made_up_.emplace(options, hearing_);
  EXPECT_EQ(texts_of({empty, heard_text(9, 12, " they came.")}, {0, 3000}), Texts{" they came."});
}

}  // namespace
}  // namespace engine
