#include "server/commands/typed_words.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Words = std::vector<std::string>;

TEST(TypedWords, HelpOfACommandIsItsHelpOption) {
  EXPECT_EQ(typed_words({"help", "models", "pull"}), (Words{"models", "pull", "--help"}));
  EXPECT_EQ(typed_words({"help"}), Words{"--help"});
  EXPECT_EQ(typed_words({"transcribe", "help"}), (Words{"transcribe", "help"})) << "a file";
}

TEST(TypedWords, OptionsOfOpenaisWhisperAreKnown) {
  EXPECT_EQ(typed_words({"transcribe", "my_file.wav", "--word_timestamps", "True"}),
            (Words{"transcribe", "my_file.wav", "--word-timestamps", "True"}));
  EXPECT_EQ(typed_words({"--initial_prompt=a_b"}), Words{"--initial-prompt=a_b"});
  EXPECT_EQ(typed_words({"--output_format", "srt", "--output-format=vtt"}),
            (Words{"--format", "srt", "--format=vtt"}));
  EXPECT_EQ(typed_words({"--output_dir", "subs", "--output_dir=a/"}),
            (Words{"--output", "subs/", "--output=a/"}))
      << "a folder, also where it is not there yet";
}

TEST(TypedWords, WordsBehindTwoHyphensStayAsTheyAre) {
  EXPECT_EQ(typed_words({"transcribe", "--", "--a_b"}), (Words{"transcribe", "--", "--a_b"}));
  EXPECT_EQ(typed_words({"--output_dir", "--", "x"}), (Words{"--output-dir", "--", "x"}));
  EXPECT_EQ(typed_words({}), Words{});
}

}  // namespace
}  // namespace server
