#include "server/mcp/tools/shown.h"

#include <gtest/gtest.h>

namespace server {
namespace {

const std::string unreadable = "\xEF\xBF\xBD";  // U+FFFD

TEST(Shown, AStringThatIsGivenBackIsWholeJson) {
  EXPECT_EQ(json_string("a\"b\\\n"), R"("a\"b\\\n")");
  const std::string text(500, 'x');
  EXPECT_EQ(json_string(text), '"' + text + '"');
}

TEST(Shown, ANameIsOneShortLineInWhichNothingIsHidden) {
  EXPECT_EQ(quoted_name("talk.mp3"), "\"talk.mp3\"");
  EXPECT_EQ(quoted_name("a\"b"), R"("a\"b")");
  EXPECT_EQ(shown_name("a\nb"), "a" + unreadable + "b");
  EXPECT_EQ(shown_name("a\xE2\x80\xAE"
                       "b"),
            "a" + unreadable + "b")
      << "right to left";
  EXPECT_EQ(shown_name("caf\xE9"), "caf" + unreadable) << "no UTF-8";
  EXPECT_EQ(shown_name(std::string(100, 'x')), std::string(100, 'x'));
  EXPECT_EQ(shown_name(std::string(101, 'x')), std::string(100, 'x') + "…");
}

TEST(Shown, ASentenceBecomesOneLine) {
  EXPECT_EQ(shown_line("first\r\n\tsecond"), "first   second");
  EXPECT_EQ(shown_line("a\x1B[2Jb"), "a" + unreadable + "[2Jb");
  EXPECT_EQ(shown_line(std::string(1001, 'x')), std::string(1000, 'x') + "…");
}

}  // namespace
}  // namespace server
