#include "protocol/json_text.h"

#include <gtest/gtest.h>

namespace protocol::json {
namespace {

TEST(JsonText, IsOneLineAlsoOfBadText) {
  const nlohmann::json value{{"text", "a\nb\xff"}};
  EXPECT_EQ(dump(value), "{\"text\":\"a\\nb\xEF\xBF\xBD\"}");
}

TEST(JsonText, KeepsTheOrderOfWhatHasOne) {
  const nlohmann::ordered_json value{{"b\xc3", 1}, {"a", nullptr}};
  EXPECT_EQ(dump(value), "{\"b\xEF\xBF\xBD\":1,\"a\":null}");
  EXPECT_EQ(dump(value, 2), "{\n  \"b\xEF\xBF\xBD\": 1,\n  \"a\": null\n}");
}

}  // namespace
}  // namespace protocol::json
