#include "server/commands/columns.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(Columns, AreThoseOfATerminal) {
  EXPECT_EQ(columns(""), 0);
  EXPECT_EQ(columns("grün"), 4);
  EXPECT_EQ(columns("gru\u0308n"), 4);
  EXPECT_EQ(columns("今日は、"), 8);
  EXPECT_EQ(columns("안녕"), 4);
  EXPECT_EQ(columns("ｗｉｄｅ"), 8);
  EXPECT_EQ(columns("😀"), 2);
  EXPECT_EQ(columns("ไม่"), 2);
}

TEST(Columns, OfBrokenTextAreOnePerByteThatNothingFollows) {
  EXPECT_EQ(columns("\xFF\xC3"), 2);
  EXPECT_EQ(columns("\xE4\xBB"
                    "a"),
            2);
}

TEST(FirstColumns, CutNoCharacterInTwo) {
  EXPECT_EQ(first_columns("grün", 3), "grü");
  EXPECT_EQ(first_columns("今日は", 5), "今日");
  EXPECT_EQ(first_columns("gru\u0308n", 3), "gru\u0308");
  EXPECT_EQ(first_columns("今", 1), "");
  EXPECT_EQ(first_columns("so", 9), "so");
  EXPECT_EQ(first_columns("so", -1), "");
}

TEST(WithoutColumns, TakesMarksAlongAndSaysWhatIsLeftToTake) {
  const auto rest = [](std::string_view text, int count) {
    const auto left = without_columns(text, count);
    return std::pair(left, count);
  };
  EXPECT_EQ(rest("grün", 2), std::pair(std::string_view("ün"), 0));
  EXPECT_EQ(rest("u\u0308n", 1), std::pair(std::string_view("n"), 0));
  EXPECT_EQ(rest("今日", 1), std::pair(std::string_view("日"), -1));
  EXPECT_EQ(rest("so", 5), std::pair(std::string_view(""), 3));
  EXPECT_EQ(rest("so", 0), std::pair(std::string_view("so"), 0));
}

}  // namespace
}  // namespace server
