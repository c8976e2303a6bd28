#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "server/commands/transcribe_options.h"
#include "tests/server/commands/parsed_options.h"

// The options of `scribed transcribe` about formats, subtitles and files.
namespace server {
namespace {

using test::parse;

TEST(OutputOptions, OfSubtitlesReachTheWriter) {
  const auto writer =
      parse({"a.wav", "--word-timestamps", "True", "--highlight-words", "True", "--max-line-width",
             "40", "--max-line-count", "2", "--max-words-per-line", "7"})
          .writer;
  EXPECT_TRUE(writer.highlight_words);
  EXPECT_EQ(writer.max_line_width, 40);
  EXPECT_EQ(writer.max_line_count, 2);
  EXPECT_EQ(writer.max_words_per_line, 7);
}

TEST(OutputOptions, OfSubtitlesNeedTheTimesOfWords) {
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

TEST(OutputOptions, AStyleOfSubtitlesLaysThemOutByTheTimesOfWords) {
  for (const char* style : {"netflix", "bbc"}) {
    const auto arguments = parse({"a.wav", "--subtitle-style", style});
    EXPECT_TRUE(arguments.writer.layout) << style;
    EXPECT_TRUE(arguments.options.word_timestamps) << style;
  }
  for (const char* style : {"default", "whisper"}) {
    const auto arguments = parse({"a.wav", "--subtitle-style", style});
    EXPECT_EQ(static_cast<bool>(arguments.writer.layout), style == std::string("default"));
    EXPECT_FALSE(arguments.options.word_timestamps) << style;
    const auto subtitles = parse({"a.wav", "--subtitle-style", style, "--format", "txt,srt"});
    EXPECT_EQ(subtitles.options.word_timestamps, style == std::string("default"));
  }
  EXPECT_FALSE(parse({"a.wav", "--task", "translate", "--format", "srt"}).options.word_timestamps);
}

TEST(OutputOptions, OfSubtitlesGiveLiveAudioALayoutOnlyIfAskedFor) {
  EXPECT_FALSE(parse({"--live", "-"}).writer.layout);
  EXPECT_TRUE(parse({"--live", "--subtitle-style", "netflix", "-"}).writer.layout);
}

TEST(OutputOptions, TheNameOfTheOutputSaysTheFormat) {
  EXPECT_EQ(parse({"a.wav", "--output", "x.srt"}).formats, std::vector<std::string>{"srt"});
  EXPECT_EQ(parse({"--format", "srt,json", "a.wav", "--output", "x/"}).formats,
            (std::vector<std::string>{"srt", "json"}));
  EXPECT_EQ(parse({"--format", "srt,json", "a.wav", "--output", "x/"}).inputs,
            std::vector<std::string>{"a.wav"});
  EXPECT_THROW(parse({"a.wav", "--format", "srt,odt"}), CLI::ValidationError);
}

TEST(OutputOptions, AboutFilesNeedThem) {
  for (const char* option : {"--skip-existing", "--keep-partial"}) {
    TranscribeArguments arguments;
    CLI::App app;
    add_transcribe_options(app, arguments);
    app.parse(std::vector<std::string>{option, "a.wav"});
    EXPECT_EQ(finish_options(arguments).error().code, errc::usage) << option;
  }
}

TEST(OutputOptions, OfTurnsNeedSpeakersThatAreToldApart) {
  TranscribeArguments arguments;
  arguments.formats = {"rttm"};
  EXPECT_EQ(finish_options(arguments).error().code, errc::usage);
  arguments.options.diarize = true;
  EXPECT_TRUE(finish_options(arguments));
}

TEST(OutputOptions, ThatChangeNothingAreNamed) {
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
      {{"--language", "de", "--languages", "de,fr"}, "--languages"},
      {{"--language", "de", "--languages", "de,fr", "--multilingual", "true"}, nullptr},
      {{"--languages", "de,fr"}, nullptr},
      {{"--subtitle-style", "netflix", "--format", "srt"}, nullptr},
      {{"--subtitle-style", "netflix"}, "--format srt, vtt or ass"},
      {{"--subtitle-style", "bbc", "--format", "vtt", "--max-line-count", "2"}, "--max-line-count"},
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
