#include "engine/whisper/transcriber/window_words.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/model/load_toy.h"
#include "tests/engine/whisper/model/random_window.h"

namespace engine {
namespace {

class WindowWordsTest : public ::testing::Test {
 protected:
  WindowWordsTest() {
    window_.encoded = runner_->encode(random_window(5)).value();
    window_.place = {1000, 3000, 9000};
    window_.language = "en";
  }

  // A segment of the window's clock, with the timestamps that the decoder puts around it.
  TimedTokens part(double start, double end, const std::string& text) const {
    TimedTokens tokens{start, end, {tokenizer_.timestamp_begin()}};
    for (const char c : text) tokens.tokens.push_back(static_cast<unsigned char>(c));
    tokens.tokens.push_back(tokenizer_.timestamp_begin() + 5);
    return tokens;
  }
  Result<std::vector<SegmentWords>> words_of(const std::vector<TimedTokens>& parts) {
    return words_of_window(*runner_, tokenizer_, window_, parts, options_);
  }
  static std::string text_of(const SegmentWords& segment) {
    std::string text;
    for (const AlignedWord& word : segment.words) text += word.word;
    return text;
  }

  ToyWeights toy_;
  Tokenizer tokenizer_ = byte_tokenizer();
  std::unique_ptr<Runner> runner_ =
      Runner::start([this] { return Result<std::unique_ptr<Model>>(load_toy(toy_)); }).value();
  TimedWindow window_;
  TranscriptionOptions options_;
};

TEST_F(WindowWordsTest, EachSegmentGetsTheWordsOfItsOwnText) {
  const auto segments = words_of({part(0, 4, " One two."), part(5, 9, " (Three)")}).value();
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(text_of(segments[0]), " One two.");
  EXPECT_EQ(segments[0].words.size(), 2u);
  EXPECT_EQ(text_of(segments[1]), " (Three)");
  EXPECT_EQ(segments[1].words.size(), 1u);
}

TEST_F(WindowWordsTest, TimesAreOfTheRecordingAndInOrder) {
  const auto segments = words_of({part(0, 9, " a b c d"), part(9, 20, " e f g")}).value();
  double last = 10;
  for (const SegmentWords& segment : segments) {
    for (const AlignedWord& word : segment.words) {
      EXPECT_GE(word.start, last);
      EXPECT_GE(word.end, word.start);
      EXPECT_GT(word.probability, 0);
      last = word.end;
    }
  }
  EXPECT_LE(last, 40);
}

TEST_F(WindowWordsTest, ThePunctuationIsTheCallers) {
  options_.append_punctuations = "";
  EXPECT_EQ(words_of({part(0, 4, " One.")}).value()[0].words.size(), 2u);
}

TEST_F(WindowWordsTest, TheModelsOwnHeadsAreTaken) {
  const auto ends = [&] {
    std::vector<double> times;
    for (const AlignedWord& word : words_of({part(0, 20, " a b c d e f g h")}).value()[0].words) {
      times.push_back(word.end);
    }
    return times;
  };
  const auto by_dimensions = ends();
  options_.alignment_heads = {{1, 0}, {1, 1}};
  EXPECT_EQ(ends(), by_dimensions);
  options_.alignment_heads = {{0, 0}};
  EXPECT_NE(ends(), by_dimensions);
}

TEST_F(WindowWordsTest, WithoutTextTheTimesStay) {
  for (const auto& parts : {std::vector<TimedTokens>{}, {part(1, 2, "")}}) {
    const auto segments = words_of(parts).value();
    ASSERT_EQ(segments.size(), parts.size());
    for (const SegmentWords& segment : segments) {
      EXPECT_TRUE(segment.words.empty());
      EXPECT_DOUBLE_EQ(segment.start, 11);
      EXPECT_DOUBLE_EQ(segment.end, 12);
    }
  }
}

TEST_F(WindowWordsTest, TextMayFillTheContext) {
  // sot, language, task, no timestamps and 444 of text are 448; the end has no place.
  const std::string text(444, 'a');
  EXPECT_EQ(text_of(words_of({part(0, 30, text)}).value()[0]), text);
}

TEST_F(WindowWordsTest, TextBeyondTheContextHasNoWord) {
  // A decode without timestamps may have 445 tokens of text, and one more in the whole context.
  const std::string text(444, 'a');
  for (const char* more : {"a", "aa"}) {
    EXPECT_EQ(text_of(words_of({part(0, 30, text + more)}).value()[0]), text);
  }
}

}  // namespace
}  // namespace engine
