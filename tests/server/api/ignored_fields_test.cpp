#include "server/api/ignored_fields.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(IgnoredFields, AreNamedInAHeader) {
  EXPECT_EQ(ignored_fields_warning({"colour", "shape[]"}),
            "299 scribed \"Ignored, since they have no effect here: colour, shape[]\"");
}

TEST(IgnoredFields, AreNotThoseWhoseValueIsNone) {
  EXPECT_EQ(unusable_values_warning({"temperature"}),
            "299 scribed \"The default was used, since the value is none of those it takes: "
            "temperature\"");
}

TEST(IgnoredFields, AreToldWithTheFormatThatCannotShowThem) {
  EXPECT_EQ(left_out_warning("text", {"include"}),
            "299 scribed \"Ignored, since response_format=text cannot show it: include\"");
}

TEST(IgnoredFields, AreShortAndFewAndPrintableAscii) {
  const std::vector<std::string> fields(64, "\"\\\xc3\xa9" + std::string(100, 'a'));
  const std::string warning = ignored_fields_warning(fields);
  EXPECT_LT(warning.size(), 1500U);
  EXPECT_NE(warning.find("and 32 more"), warning.npos);
  EXPECT_NE(warning.find(" ????aaa"), warning.npos);
  for (const char c : warning) EXPECT_TRUE(c >= 0x20 && c <= 0x7e);
}

}  // namespace
}  // namespace server
