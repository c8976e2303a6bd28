#include "protocol/python_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace protocol {
namespace {

TEST(PythonJson, NumbersLookAsPythonShowsThem) {
  const std::pair<double, const char*> cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {0.1, "0.1"},
      {4.02, "4.02"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {-2.5e-7, "-2.5e-07"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {1.5e300, "1.5e+300"},
      {5e-324, "5e-324"},
      {123456789012345.6, "123456789012345.6"},
      {2.0 / 3, "0.6666666666666666"},
      {std::numeric_limits<double>::infinity(), "null"}};
  for (const auto& [value, shown] : cases) EXPECT_EQ(python_json(value), shown);
}

TEST(PythonJson, ThingsAreDividedByACommaAndASpace) {
  const nlohmann::ordered_json json{{"b", {1, true, nullptr}}, {"a", nlohmann::json::object()}};
  EXPECT_EQ(python_json(json), R"({"b": [1, true, null], "a": {}})");
}

TEST(PythonJson, TextIsAscii) {
  EXPECT_EQ(python_json("é\x7f/\"\\\n\x01🎙"), R"("\u00e9\u007f/\"\\\n\u0001\ud83c\udf99")");
  EXPECT_EQ(python_json("\xff"), R"("\ufffd")");
}

}  // namespace
}  // namespace protocol
