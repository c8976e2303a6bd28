#include "server/commands/transcribe_options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace server {
namespace {

// What the command line `words` (without the program's name) asks for.
TranscribeArguments parse(std::vector<std::string> words) {
  CLI::App app;
  TranscribeArguments arguments;
  add_transcribe_options(app, arguments);
  std::reverse(words.begin(), words.end());  // as CLI11 wants it
  app.parse(words);
  finish_options(arguments).value();
  return arguments;
}

TEST(TranscribeOptions, DefaultToOpenaiWhispersCommandLine) {
  auto arguments = parse({"a.wav"});
  protocol::TranscribeOptions expected;
  ASSERT_EQ(arguments.options.temperatures.size(), expected.temperatures.size());
  for (std::size_t i = 0; i < expected.temperatures.size(); ++i) {
    EXPECT_NEAR(arguments.options.temperatures[i], expected.temperatures[i], 1e-12);
  }
  arguments.options.temperatures = expected.temperatures;
  EXPECT_EQ(arguments.options, expected);
  EXPECT_EQ(arguments.model, "base");
  EXPECT_EQ(arguments.format, "txt");
  EXPECT_EQ(arguments.output, "-");
}

TEST(TranscribeOptions, ReachTheMessageForTheWorker) {
  const auto arguments = parse({"--language",
                                "German",
                                "--task",
                                "translate",
                                "--beam-size",
                                "1",
                                "--best-of",
                                "3",
                                "--patience",
                                "2",
                                "--length-penalty",
                                "0.5",
                                "--suppress-tokens",
                                "-1,42",
                                "--initial-prompt",
                                "Hello",
                                "--carry-initial-prompt",
                                "true",
                                "--hotwords",
                                "Ada",
                                "--condition-on-previous-text",
                                "False",
                                "--temperature",
                                "0,0.4",
                                "--compression-ratio-threshold",
                                "none",
                                "--logprob-threshold",
                                "-0.5",
                                "--no-speech-threshold",
                                "0.3",
                                "--clip-timestamps",
                                "5,10",
                                "--seed",
                                "7",
                                "--word-timestamps",
                                "True",
                                "--prepend-punctuations",
                                "(",
                                "--append-punctuations",
                                ").",
                                "--hallucination-silence-threshold",
                                "2",
                                "--long-form",
                                "parallel",
                                "--vad-filter",
                                "True",
                                "a.wav"});
  protocol::TranscribeOptions expected;
  expected.language = "de";
  expected.task = "translate";
  expected.beam_size = 1;
  expected.best_of = 3;
  expected.patience = 2;
  expected.length_penalty = 0.5;
  expected.suppress_tokens = "-1,42";
  expected.initial_prompt = "Hello";
  expected.carry_initial_prompt = true;
  expected.hotwords = "Ada";
  expected.condition_on_previous_text = false;
  expected.temperatures = {0, 0.4};
  expected.compression_ratio_threshold.reset();
  expected.logprob_threshold = -0.5;
  expected.no_speech_threshold = 0.3;
  expected.clip_timestamps = {5, 10};
  expected.seed = 7;
  expected.word_timestamps = true;
  expected.prepend_punctuations = "(";
  expected.append_punctuations = ").";
  expected.hallucination_silence_threshold = 2;
  expected.long_form = "parallel";
  expected.vad_filter = true;
  EXPECT_EQ(arguments.options, expected);
}

TEST(TranscribeOptions, ReachTheDecoder) {
  const auto arguments =
      parse({"--track", "2", "--channel", "1", "--input-format", "s16le", "--input-sample-rate",
             "8000", "--input-channels", "2", "--max-seconds", "60.5", "-"});
  const std::vector<std::string> expected{
      "--report-fd",   "3",    "--track",    "2", "--channel",     "1",   "--format", "s16le",
      "--sample-rate", "8000", "--channels", "2", "--max-seconds", "60.5"};
  EXPECT_EQ(decoder_arguments(arguments.decoder), expected);
  EXPECT_EQ(arguments.inputs, std::vector<std::string>{"-"});
}

TEST(TranscribeOptions, TakeASingleTemperature) {
  EXPECT_EQ(parse({"--temperature", "0", "--temperature-increment-on-fallback", "None", "a.wav"})
                .options.temperatures,
            std::vector<double>{0});
}

TEST(TranscribeOptions, MayFollowTheFile) {
  const auto arguments = parse({"a.wav", "b.wav", "--quiet", "--output", "out"});
  EXPECT_EQ(arguments.inputs, (std::vector<std::string>{"a.wav", "b.wav"}));
  EXPECT_TRUE(arguments.quiet);
}

TEST(TranscribeOptions, RefuseWhatIsNotOffered) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"a.wav", "--format", "doc"},
      {"a.wav", "--language", "Klingon"},
      {"a.wav", "--beam-size", "0"},
      {"a.wav", "--temperature", "hot"},
      {"a.wav", "--device", "toaster"},
      {"a.wav", "--device", "cuda:one"},
      {"a.wav", "--compute-type", "float64"},
      {"a.wav", "--gpu-device", "-1"},
      {"a.wav", "--flash-attn", "perhaps"},
      {"a.wav", "--word-timestamps", "perhaps"},
      {"a.wav", "--max-line-width", "0"},
      {"a.wav", "--track", "0"},
  };
  for (const auto& words : wrong) {
    EXPECT_THROW(parse(words), CLI::ParseError) << words.back();
  }
}

TEST(TranscribeOptions, RefuseASampleRateOfInputThatHasItsOwn) {
  TranscribeArguments arguments;
  arguments.decoder.input_sample_rate = 8000;
  EXPECT_EQ(finish_options(arguments).error().code, errc::usage);
}

TEST(TranscribeOptions, OfSubtitlesReachTheWriter) {
  const auto writer =
      parse({"a.wav", "--word-timestamps", "True", "--highlight-words", "True", "--max-line-width",
             "40", "--max-line-count", "2", "--max-words-per-line", "7"})
          .writer;
  EXPECT_TRUE(writer.highlight_words);
  EXPECT_EQ(writer.max_line_width, 40);
  EXPECT_EQ(writer.max_line_count, 2);
  EXPECT_EQ(writer.max_words_per_line, 7);
}

TEST(TranscribeOptions, OfSubtitlesNeedTheTimesOfWords) {
  const std::vector<protocol::WriterOptions> needy{{.max_line_width = 1},
                                                   {.max_line_count = 1},
                                                   {.max_words_per_line = 1},
                                                   {.highlight_words = true}};
  for (const auto& writer : needy) {
    TranscribeArguments arguments;
    arguments.writer = writer;
    EXPECT_EQ(finish_options(arguments).error().code, errc::usage);
    arguments.options.word_timestamps = true;
    EXPECT_TRUE(finish_options(arguments));
  }
}

TEST(TranscribeOptions, ThatChangeNothingAreNamed) {
  struct Row {
    std::vector<std::string> words;
    const char* named;  // null: nothing
  };
  const std::vector<Row> table{
      {{"--word-timestamps", "True", "--max-line-count", "2"}, "--max-line-count"},
      {{"--word-timestamps", "True", "--max-line-count", "2", "--max-line-width", "9"}, nullptr},
      {{"--word-timestamps", "True", "--max-words-per-line", "2", "--max-line-width", "9"},
       "--max-words-per-line"},
      {{"--hallucination-silence-threshold", "2"}, "--hallucination-silence-threshold"},
      {{"--word-timestamps", "True", "--task", "translate"}, "translation"},
      {{"--word-timestamps", "True"}, nullptr},
  };
  for (Row row : table) {
    row.words.emplace_back("a.wav");
    const auto warnings = useless_options(parse(row.words));
    ASSERT_EQ(warnings.size(), row.named == nullptr ? 0u : 1u) << row.words[0];
    if (row.named == nullptr) continue;
    EXPECT_NE(warnings[0].find(row.named), std::string::npos) << warnings[0];
  }
}

}  // namespace
}  // namespace server
