#include "server/submission/model_name.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(ModelName, KnowsTheNamesThatOpenAisClientsUse) {
  EXPECT_TRUE(is_openai_model("whisper-1"));
  EXPECT_TRUE(is_openai_model("gpt-4o-mini-transcribe-2025-12-15"));
  EXPECT_FALSE(is_openai_model("base"));
  EXPECT_FALSE(is_openai_model("gpt-4o-transcribe-diarize"));
}

}  // namespace
}  // namespace server
