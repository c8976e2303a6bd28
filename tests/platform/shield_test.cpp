#include "platform/shield.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

const std::vector<Shield> shields{{"landlock", true, "version 7"}, {"seccomp", false, "none"}};

TEST(Shields, AreToldAsTheyStand) {
  EXPECT_EQ(standing(shields), std::vector<std::string>{"landlock (version 7)"});
  EXPECT_EQ(missing(shields), std::vector<std::string>{"seccomp: none"});
}

TEST(Shields, AreReadAsTheyWereWritten) {
  const std::string json = to_json(shields);
  EXPECT_EQ(json, R"({"landlock":{"active":true,"detail":"version 7"},)"
                  R"("seccomp":{"active":false,"detail":"none"}})");
  const auto read = parse_shields(json);
  EXPECT_EQ(standing(read), standing(shields));
  EXPECT_EQ(missing(read), missing(shields));
}

TEST(Shields, AreNoneInAnythingElse) {
  for (const char* text : {"", "[]", "{", "{\"a\":1}"}) EXPECT_TRUE(parse_shields(text).empty());
  EXPECT_EQ(missing(parse_shields(R"({"a":{"active":"yes"}})")), std::vector<std::string>{"a: "});
}

}  // namespace
}  // namespace platform
