#include "engine/whisper/transcriber/prompt_echo.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

constexpr double most = 0.6;

TEST(PromptEcho, IsTextThatStandsInWhatWasRead) {
  const PromptEcho echo("Dr. Müller spricht mit Frau Kowalski.");
  EXPECT_TRUE(echo.repeats(" Dr. Müller spricht", 1));
  EXPECT_TRUE(echo.repeats(" mit Frau Kowalski!", 1));
  EXPECT_FALSE(echo.repeats(" Das Wetter wird morgen schön.", most));
}

TEST(PromptEcho, IsTextOfItsWords) {
  const PromptEcho echo("Kubernetes, Priya Raman, Grafana");
  EXPECT_TRUE(echo.repeats(" Raman, Grafana, Grafana, Grafana", 1));
  EXPECT_TRUE(echo.repeats(" Grafana and Kubernetes", most));
  EXPECT_FALSE(echo.repeats(" Grafana and Kubernetes", 1));
  EXPECT_FALSE(echo.repeats(" We look at Grafana every day", most));
}

TEST(PromptEcho, IsFoundWithoutSpacesBetweenWords) {
  const PromptEcho echo("\u4eca\u65e5\u306f\u6674\u308c\u3002");
  EXPECT_TRUE(echo.repeats("\u4eca\u65e5\u306f\u6674\u308c", 1));
  EXPECT_FALSE(echo.repeats("\u660e\u65e5\u306f\u96e8", most));
}

TEST(PromptEcho, IsNothingWhereNothingWasRead) {
  EXPECT_FALSE(PromptEcho("").repeats(" Anything.", most));
  EXPECT_FALSE(PromptEcho("").repeats("", most));
}

TEST(GivenText, IsAllThatOptionsGiveAModelToRead) {
  TranscriptionOptions options;
  options.initial_prompt = "one";
  options.hotwords = "two";
  options.prefix = "three";
  EXPECT_EQ(given_text(options), "one two three");
}

TEST(LettersOf, AreWithoutSpacesSignsAndCapitals) {
  EXPECT_EQ(letters_of(" Ask not: WHAT, 42?"), "asknotwhat42");
  EXPECT_EQ(letters_of(" ... - "), "");
}

}  // namespace
}  // namespace engine
