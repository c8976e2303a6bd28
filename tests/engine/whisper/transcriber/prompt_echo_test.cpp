#include "engine/whisper/transcriber/prompt_echo.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

PromptEcho echo_of(std::string prompt, std::string hotwords = "") {
  TranscriptionOptions options;
  options.initial_prompt = std::move(prompt);
  options.hotwords = std::move(hotwords);
  return PromptEcho(options);
}

TEST(PromptEcho, IsTextThatStandsInThePrompt) {
  const PromptEcho echo = echo_of("Dr. Müller spricht mit Frau Kowalski.");
  EXPECT_TRUE(echo.repeats(" Dr. Müller spricht"));
  EXPECT_TRUE(echo.repeats(" mit Frau Kowalski!"));
  EXPECT_FALSE(echo.repeats(" Das Wetter wird morgen schön."));
}

TEST(PromptEcho, IsTextOfItsWords) {
  const PromptEcho echo = echo_of("", "Kubernetes, Priya Raman, Grafana");
  EXPECT_TRUE(echo.repeats(" Raman, Grafana, Grafana, Grafana"));
  EXPECT_TRUE(echo.repeats(" Grafana and Kubernetes"));
  EXPECT_FALSE(echo.repeats(" We look at Grafana every day"));
}

TEST(PromptEcho, IsFoundWithoutSpacesBetweenWords) {
  const PromptEcho echo = echo_of("\u4eca\u65e5\u306f\u6674\u308c\u3002");
  EXPECT_TRUE(echo.repeats("\u4eca\u65e5\u306f\u6674\u308c"));
  EXPECT_FALSE(echo.repeats("\u660e\u65e5\u306f\u96e8"));
}

TEST(PromptEcho, IsNothingWithoutAPrompt) {
  EXPECT_FALSE(echo_of("").repeats(" Anything."));
  EXPECT_FALSE(echo_of("").repeats(""));
}

TEST(LettersOf, AreWithoutSpacesSignsAndCapitals) {
  EXPECT_EQ(letters_of(" Ask not: WHAT, 42?"), "asknotwhat42");
  EXPECT_EQ(letters_of(" ... - "), "");
}

}  // namespace
}  // namespace engine
