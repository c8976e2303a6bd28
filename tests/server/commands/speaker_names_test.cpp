#include "server/commands/speaker_names.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using nlohmann::json;

std::string body_of(const std::vector<std::string>& words) {
  const auto body = speaker_names_body(words);
  return body ? *body : body.error().message;
}

TEST(SpeakerNamesCommand, WordsAreLettersAndNames) {
  EXPECT_EQ(body_of({"A=Anna Lee", "B=", "C=x=y"}),
            R"({"speaker_names":{"A":"Anna Lee","B":"","C":"x=y"}})");
  EXPECT_EQ(body_of({"Anna"}), R"("Anna" names no speaker)");
  EXPECT_EQ(body_of({"A=Anna", "=Bob"}), R"("=Bob" names no speaker)");
}

TEST(SpeakerNamesCommand, AnAnswerIsALine) {
  EXPECT_EQ(speakers_text({{"speaker_names", {{"A", "Anna"}, {"B", "B"}}}}), "A is Anna, B");
  EXPECT_EQ(speakers_text({{"speaker_names", json::object()}}), "");
  EXPECT_EQ(speakers_text(json::object()), "") << "a server of an earlier version";
}

}  // namespace
}  // namespace server
