#include "server/api/form_values.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(FormValues, AListIsOneItemOrJsonOfAll) {
  using Items = std::vector<std::string>;
  EXPECT_EQ(items_of("one"), Items{"one"});
  EXPECT_EQ(items_of("[\"one\", \"two\"]"), (Items{"one", "two"}));
  EXPECT_EQ(items_of("[]"), Items{});
  for (const char* plain : {"[one", "[1]", "[inaudible]", "{}"}) {
    EXPECT_EQ(items_of(plain), Items{plain}) << plain;
  }
}

TEST(FormValues, ANumberIsTheWholeText) {
  EXPECT_EQ(number_of("0.5"), 0.5);
  EXPECT_EQ(number_of("-1e2"), -100);
  for (const char* none : {"", "0.5 ", "1,5", "one", "0x1"}) {
    EXPECT_EQ(number_of(none), std::nullopt) << none;
  }
}

TEST(FormValues, AFlagIsTrueOrFalse) {
  bool value = false;
  for (const char* yes : {"true", "True", "1", "on", "YES"}) {
    value = false;
    EXPECT_FALSE(read_flag("multilingual", yes, value));
    EXPECT_TRUE(value) << yes;
  }
  for (const char* no : {"false", "False", "0", "off", "no"}) {
    value = true;
    EXPECT_FALSE(read_flag("multilingual", no, value));
    EXPECT_FALSE(value) << no;
  }
  const auto problem = read_flag("multilingual", "maybe", value);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->parameter, "multilingual");
}

TEST(FormValues, ATextHasALimit) {
  std::string text;
  EXPECT_FALSE(read_text("model", "base", text, 4));
  EXPECT_EQ(text, "base");
  const auto problem = read_text("model", "large", text, 4);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->parameter, "model");
  EXPECT_EQ(text, "base");
}

}  // namespace
}  // namespace server
