#include "engine/whisper/transcriber/live_language.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(LiveLanguage, IsSettledOnceDetectionIsSureOrHasHeardEnough) {
  struct Row {
    double probability;
    double voiced_s;
    bool settles;
  };
  for (const Row& row :
       {Row{0.99, 1.4, false}, Row{0.81, 1.5, true}, Row{0.8, 4.9, false}, Row{0.3, 5, true}}) {
    LiveLanguage language("");
    EXPECT_EQ(language.hear({"de", row.probability}, row.voiced_s), row.settles) << row.voiced_s;
    EXPECT_EQ(language.settled(), row.settles ? "de" : "");
    EXPECT_EQ(language.latest().language, "de");
  }
}

TEST(LiveLanguage, StaysAsItWasSettled) {
  LiveLanguage language("");
  EXPECT_TRUE(language.hear({"de", 0.9}, 2));
  EXPECT_FALSE(language.hear({"en", 0.99}, 9));
  EXPECT_EQ(language.settled(), "de");
  EXPECT_EQ(LiveLanguage("fr").settled(), "fr");
}

TEST(LiveLanguage, CountsEarlierTurns) {
  LiveLanguage language("");
  EXPECT_FALSE(language.hear({"de", 0.9}, 1));
  language.end_turn(1);
  EXPECT_TRUE(language.hear({"de", 0.9}, 0.6));
}

}  // namespace
}  // namespace engine
