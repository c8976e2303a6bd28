#include "server/submission/model_name.h"

#include "tests/server/submission/submission_fixture.h"

namespace server {
namespace {

TEST(ModelName, KnowsTheNamesThatOpenAisClientsUse) {
  EXPECT_TRUE(is_openai_model("whisper-1"));
  EXPECT_TRUE(is_openai_model("gpt-4o-mini-transcribe-2025-12-15"));
  EXPECT_FALSE(is_openai_model("base"));
  EXPECT_TRUE(is_openai_model("gpt-4o-transcribe-diarize"));
}

class ModelNameTest : public test::SubmissionFixture {};

TEST_F(ModelNameTest, AnAliasStandsForItsModelBeforeAnyOtherName) {
  services.aliases = {{"fast", "tiny.en"}, {"whisper-1", "large-v3"}, {"usual", "base"}};
  EXPECT_EQ(meant_model(services, "fast"), "tiny.en");
  EXPECT_EQ(meant_model(services, "whisper-1"), "large-v3");
  EXPECT_EQ(meant_model(services, "gpt-4o-transcribe"), "base");
  EXPECT_EQ(meant_model(services, ""), "base");
  EXPECT_EQ(meant_model(services, "medium"), "medium");
  EXPECT_EQ(model_for(services, "usual").value(), "base");
  EXPECT_FALSE(model_for(services, "fast")) << "it is not installed";
}

TEST_F(ModelNameTest, WhereOthersTranscribeEveryKnownModelIsTaken) {
  services.works_elsewhere = true;
  EXPECT_EQ(model_for(services, "tiny.en").value(), "tiny.en");
  EXPECT_FALSE(model_for(services, "nobodys")) << "nobody can have it";
}

}  // namespace
}  // namespace server
