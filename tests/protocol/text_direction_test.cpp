#include "protocol/text_direction.h"

#include <gtest/gtest.h>

#include "protocol/writers.h"

namespace protocol {
namespace {

TEST(TextDirection, IsThatOfTheFirstLetterOrDigit) {
  struct Row {
    const char* text;
    bool left_to_right;
    bool right_to_left;
  };
  const Row table[] = {
      {"שלום Bob", false, true},     {"Bob שלום", true, false}, {"- שלום", false, true},
      {"\"WhatsApp\"", true, false}, {"24 שעות", true, false},  {"٢٤ ساعة", false, true},
      {"…", false, false},           {"", false, false},        {"Добро", true, false},
      {"\xd7", false, false},        {"\xff", false, false},
  };
  for (const Row& row : table) {
    EXPECT_EQ(looks_left_to_right(row.text), row.left_to_right) << row.text;
    EXPECT_EQ(reads_right_to_left(row.text), row.right_to_left) << row.text;
  }
  EXPECT_TRUE(is_right_to_left("he"));
  EXPECT_FALSE(is_right_to_left("de"));
  EXPECT_FALSE(is_right_to_left(""));
}

std::string written(const char* format, std::string language, std::string text,
                    std::string speaker = "") {
  Transcript transcript;
  transcript.language = std::move(language);
  Segment segment{.start = 0, .end = 2, .text = std::move(text)};
  segment.words = {{0, 2, segment.text, 1}};
  segment.speaker = std::move(speaker);
  transcript.segments = {segment};
  return write_transcript(format, transcript).value();
}

bool has(const std::string& file, const char* part) {
  return file.find(part) != file.npos;
}

TEST(TextDirection, OfALineThatBeginsWithLatinLettersIsMarked) {
  const char* const text = " Windows הוא טוב";
  EXPECT_TRUE(has(written("srt", "he", text), "\n\u200fWindows הוא טוב\n"));
  EXPECT_TRUE(has(written("vtt", "he", text), "\n\u200fWindows הוא טוב\n"));
  EXPECT_TRUE(has(written("ass", "he", text), ",,{\\fe-1}\u200fWindows הוא טוב\n"));
  EXPECT_TRUE(has(written("srt", "en", text), "\nWindows הוא טוב\n"));
  EXPECT_TRUE(has(written("srt", "he", " הוא טוב"), "\nהוא טוב\n"));
  EXPECT_TRUE(has(written("ass", "he", " הוא טוב"), ",,{\\fe-1}הוא טוב\n"));
  EXPECT_TRUE(has(written("ass", "en", " It is."), ",,It is.\n"));
}

TEST(TextDirection, OfALineThatBeginsWithASpeakerIsMarkedBeforeTheName) {
  EXPECT_TRUE(has(written("srt", "he", " הוא טוב", "Ann"), "\n\u200fAnn: הוא טוב\n"));
  EXPECT_TRUE(has(written("ass", "he", " הוא טוב", "Ann"), "{\\fe-1}\u200fAnn: הוא טוב\n"));
  EXPECT_TRUE(has(written("vtt", "he", " הוא טוב", "Ann"), "\n<v Ann>הוא טוב\n"));
  EXPECT_TRUE(has(written("vtt", "he", " 24 שעות", "Ann"), "\n<v Ann>\u200f24 שעות\n"));
}

}  // namespace
}  // namespace protocol
