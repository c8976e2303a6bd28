#include "engine/whisper/transcriber/option_warnings.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"

namespace engine {
namespace {

class OptionWarnings : public ::testing::Test {
 protected:
  std::vector<std::string> warnings(std::optional<double> duration_s = 60) const {
    return option_warnings(options_, tokenizer_, 10, duration_s);
  }

  Tokenizer tokenizer_ = byte_tokenizer();  // a token for each byte
  TranscriptionOptions options_;
};

TEST_F(OptionWarnings, AreNoneWhereAllHasItsEffect) {
  options_.initial_prompt = "a meeting";
  options_.clip_timestamps = {0, 10, 59, 80};
  EXPECT_TRUE(warnings().empty());
}

TEST_F(OptionWarnings, SayWhichPartOfALongPromptCounts) {
  options_.initial_prompt = "about a meeting";
  options_.hotwords = "Kubernetes";
  const auto said = warnings();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(
      said[0],
      "The initial prompt has 16 tokens, and the model reads 10 at most: only its end counts.");
  EXPECT_NE(said[1].find("hotwords has 11 tokens"), std::string::npos) << said[1];
  EXPECT_NE(said[1].find("only its beginning counts"), std::string::npos) << said[1];
}

TEST_F(OptionWarnings, SayThatACarriedPromptLeavesNoRoom) {
  options_.initial_prompt = "about a meeting";
  options_.carry_initial_prompt = true;
  options_.hotwords = "a";
  ASSERT_EQ(warnings().size(), 2u);
  EXPECT_NE(warnings()[1].find("The hotwords have no effect"), std::string::npos);
}

TEST_F(OptionWarnings, NameClipsBehindTheEnd) {
  options_.clip_timestamps = {0, 10, 60, 70, 75.25};
  const auto said = warnings();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0], "Clip 2 begins at 60.0 s, and the recording ends at 60.0 s: it has no text.");
  EXPECT_NE(said[1].find("Clip 3 begins at 75.3 s"), std::string::npos) << said[1];
  EXPECT_TRUE(warnings(std::nullopt).empty()) << "while it goes on";
}

}  // namespace
}  // namespace engine
