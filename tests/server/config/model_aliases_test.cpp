#include "server/config/model_aliases.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(ModelAliases, AreNamesAndModels) {
  const auto aliases =
      parse_aliases({"fast=tiny.en", "whisper-1=large-v3", "org/model=base"}).value();
  EXPECT_EQ(aliases, (std::map<std::string, std::string>{
                         {"fast", "tiny.en"}, {"whisper-1", "large-v3"}, {"org/model", "base"}}));
  EXPECT_TRUE(parse_aliases({}).value().empty());
}

TEST(ModelAliases, AreRefusedIfTheyAreNone) {
  for (const char* text :
       {"fast", "=tiny", "fast=", "=", "", "my model=tiny", "/a=tiny", "a/=tiny", "a//b=tiny"}) {
    const auto aliases = parse_aliases({text});
    ASSERT_FALSE(aliases) << text;
    EXPECT_EQ(aliases.error().code, errc::bad_config);
    EXPECT_NE(aliases.error().message.find(text), std::string::npos);
  }
  EXPECT_FALSE(parse_aliases({"fast=tiny", "fast=base"}));
}

}  // namespace
}  // namespace server
