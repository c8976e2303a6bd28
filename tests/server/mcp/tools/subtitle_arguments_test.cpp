#include "server/mcp/tools/subtitle_arguments.h"

#include <gtest/gtest.h>

#include "server/options/line_options.h"

namespace server {
namespace {

using nlohmann::json;
using protocol::SubtitleStyle;

// Returns the sentence that refuses the arguments; empty: they are taken.
std::string refused(const json& given, const char* format) {
  Arguments arguments(given);
  read_lines(arguments, format);
  const auto checked = arguments.check();
  return checked ? "" : checked.error().message;
}

TEST(SubtitleArguments, AreTheOptionsOfLines) {
  const json given{{"max_line_width", 32},
                   {"max_line_count", 2},
                   {"max_words_per_line", 7},
                   {"highlight_words", true}};
  Arguments arguments(given);
  const auto lines = read_lines(arguments, "srt");
  EXPECT_TRUE(arguments.check());
  EXPECT_EQ(lines.max_line_width, 32);
  EXPECT_EQ(lines.max_line_count, 2);
  EXPECT_EQ(lines.max_words_per_line, 7);
  EXPECT_TRUE(lines.highlight_words);
  for (const auto& [name, value] : given.items()) EXPECT_TRUE(line_properties().contains(name));
  EXPECT_EQ(line_properties().size(), given.size());
}

TEST(SubtitleArguments, HaveLimits) {
  EXPECT_EQ(refused({{"max_line_width", 0}}, "srt"),
            "The argument max_line_width must be a number from 1 to 1000.");
  EXPECT_EQ(refused({{"max_words_per_line", 1001}}, "vtt"),
            "The argument max_words_per_line must be a number from 1 to 1000.");
  EXPECT_EQ(refused({{"highlight_words", "yes"}}, "ass"),
            "The argument highlight_words must be true or false.");
}

TEST(SubtitleArguments, AreOfSubtitlesAlone) {
  for (const char* format : {"srt", "vtt", "ass"}) {
    EXPECT_EQ(refused({{"max_line_width", 32}}, format), "") << format;
  }
  for (const char* format : {"text", "tsv", "json", "docx"}) {
    EXPECT_NE(refused({{"max_line_width", 32}}, format), "") << format;
    EXPECT_EQ(refused({{"highlight_words", false}}, format), "") << format;
  }
}

TEST(SubtitleArguments, NameAStyleForOneFile) {
  const auto style_of = [](const json& given) {
    Arguments arguments(given);
    const auto style = read_another_style(arguments);
    EXPECT_EQ(bool(arguments.check()), given.empty() || given["subtitle_style"] != "other");
    return style;
  };
  EXPECT_EQ(style_of(json::object()), std::nullopt);
  EXPECT_EQ(style_of({{"subtitle_style", "default"}}), SubtitleStyle::standard);
  EXPECT_EQ(style_of({{"subtitle_style", "whisper"}}), SubtitleStyle::whisper);
  EXPECT_EQ(style_of({{"subtitle_style", "other"}}), std::nullopt);
  EXPECT_EQ(another_style_property()["enum"].size(), 4U);
}

TEST(SubtitleArguments, AreRepeatedForTheNextPage) {
  EXPECT_EQ(repeated_arguments({}), "");
  EXPECT_EQ(repeated_arguments({.style = SubtitleStyle::bbc,
                                .lines = {.max_line_width = 32,
                                          .max_line_count = 1,
                                          .max_words_per_line = 5,
                                          .highlight_words = true}}),
            ", subtitle_style=\"bbc\", max_line_width=32, max_line_count=1, max_words_per_line=5, "
            "highlight_words=true");
}

}  // namespace
}  // namespace server
