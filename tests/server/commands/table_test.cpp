#include "server/commands/table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "server/base/counted.h"
#include "server/commands/shown_language.h"

namespace server {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  Table table({"JOB", "TITLE"});
  table.add({"abcdef", "talk.wav"});
  table.add({"x", ""});
  EXPECT_EQ(table.text(0),
            "JOB     TITLE\n"
            "abcdef  talk.wav\n"
            "x\n");
}

TEST(Table, CountsColumnsAndNotBytes) {
  Table table({"A", "B"});
  table.add({"日本", "x"});
  table.add({"é", "y"});
  EXPECT_EQ(table.text(0), "A     B\n日本  x\né     y\n");
}

TEST(Table, ALineThatIsTooLongIsCutAtTheTerminalsWidth) {
  Table table({"A", "B"});
  table.add({"1", "a long title"});
  EXPECT_EQ(table.text(8), "A  B\n1  a lo…\n");
}

TEST(Table, ACellCannotMoveTheCursor) {
  Table table({"A"});
  table.add({"\x1b[2Jx\n"});
  EXPECT_EQ(table.text(0).find('\x1b'), std::string::npos);
  EXPECT_EQ(std::ranges::count(table.text(0), '\n'), 2);
}

TEST(Counted, OneHasNoPlural) {
  EXPECT_EQ(counted(0, "job"), "0 jobs");
  EXPECT_EQ(counted(1, "job"), "1 job");
  EXPECT_EQ(counted(2, "job"), "2 jobs");
}

TEST(ShownLanguage, HasACapitalLetter) {
  EXPECT_EQ(shown_language("en"), "English");
  EXPECT_EQ(shown_language("german"), "German");
  EXPECT_EQ(shown_language("ht"), "Haitian Creole");
  EXPECT_EQ(shown_language("xx"), "xx");
  EXPECT_EQ(shown_language(""), "");
}

}  // namespace
}  // namespace server
