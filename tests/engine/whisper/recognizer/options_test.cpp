#include "engine/whisper/recognizer/options.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

using Wanted = protocol::TranscribeOptions;

Tokenizer english_tokenizer() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  while (tokens.size() < 50256) tokens.push_back("\x01" + std::to_string(tokens.size()) + "\x01");
  return Tokenizer::from_tokens(tokens, 51864).value();
}

TEST(WorkerOptions, OfRepetitionAndLanguageReachTheTranscription) {
  const Wanted wanted{.languages = {"de", "French"},
                      .language_detection_segments = 3,
                      .language_detection_threshold = 0.75,
                      .language_detection_candidates = 1,
                      .multilingual = true,
                      .repetition_penalty = 1.5,
                      .no_repeat_ngram_size = 4,
                      .loop_detection = false,
                      .fallback = Fallback::openai};
  const auto options = transcription_options(wanted, byte_tokenizer()).value();
  EXPECT_EQ(options.languages, (std::vector<std::string>{"de", "fr"}));
  EXPECT_EQ(options.language, "");
  EXPECT_EQ(options.language_detection_segments, 3);
  EXPECT_EQ(options.language_detection_threshold, 0.75);
  EXPECT_TRUE(options.multilingual);
  EXPECT_EQ(options.repetition_penalty, 1.5);
  EXPECT_EQ(options.no_repeat_ngram_size, 4);
  EXPECT_FALSE(options.loop_detection);
  EXPECT_EQ(options.language_detection_candidates, 1);
  EXPECT_EQ(options.fallback, Fallback::openai);
  EXPECT_EQ(transcription_options({}, byte_tokenizer())->fallback, Fallback::best);
}

TEST(WorkerOptions, AChoiceOfOneLanguageIsThatLanguage) {
  EXPECT_EQ(transcription_options({.languages = {"fr"}}, byte_tokenizer())->language, "fr");
}

TEST(WorkerOptions, WithoutAMeaningAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Wanted table[] = {
      {.languages = {"de", "klingon"}},      {.languages = {""}},
      {.language_detection_segments = 0},    {.language_detection_threshold = 1.5},
      {.language_detection_threshold = nan}, {.repetition_penalty = 0},
      {.repetition_penalty = nan},           {.repetition_penalty = 1000},
      {.no_repeat_ngram_size = -1},          {.language_detection_candidates = 0},
      {.language_detection_candidates = 6},  {.beam_size = 101},
  };
  for (const Wanted& wanted : table) {
    const auto options = transcription_options(wanted, byte_tokenizer());
    ASSERT_FALSE(options) << &wanted - table;
    EXPECT_EQ(options.error().code, Errc::invalid_option) << &wanted - table;
  }
}

TEST(WorkerOptions, OfAnEnglishModelNameNoOtherLanguage) {
  const Tokenizer english = english_tokenizer();
  const Wanted table[] = {{.language = "de"}, {.languages = {"en", "de"}}, {.multilingual = true}};
  for (const Wanted& wanted : table) {
    const auto options = transcription_options(wanted, english);
    ASSERT_FALSE(options) << &wanted - table;
    EXPECT_EQ(options.error().code, Errc::invalid_option);
    EXPECT_NE(options.error().message.find("English-only"), std::string::npos);
    EXPECT_NE(options.error().fix.find(".en"), std::string::npos);
  }
  EXPECT_TRUE(transcription_options({.languages = {"en"}}, english));
}

}  // namespace
}  // namespace engine
