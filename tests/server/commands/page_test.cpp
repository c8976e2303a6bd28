#include "server/commands/page.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Lines = std::vector<std::string>;

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("one two three", 80), (Lines{"one two three"}));
  EXPECT_EQ(wrap("", 80), (Lines{""}));
}

TEST(Wrap, KeepsLineBreaks) {
  EXPECT_EQ(wrap("a\nb c", 80), (Lines{"a", "b c"}));
}

TEST(Wrap, CutsALongWordAfterASlash) {
  EXPECT_EQ(wrap("/usr/lib/x86_64/libcuda.so", 12), (Lines{"/usr/lib/", "x86_64/", "libcuda.so"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
}

TEST(Wrap, StartsALongWordOnALineOfItsOwn) {
  EXPECT_EQ(wrap("at /usr/lib/nvidia", 10), (Lines{"at", "/usr/lib/", "nvidia"}));
}

TEST(Wrap, CountsCharactersRatherThanBytes) {
  EXPECT_EQ(wrap("äöü äöü", 7), (Lines{"äöü äöü"}));
  EXPECT_EQ(wrap("äöüä", 2), (Lines{"äö", "üä"}));
}

TEST(Page, PutsTextBesideItsLabel) {
  Page page({.width = 20});
  page.row(2, 6, "OS", "Debian GNU/Linux 12");
  EXPECT_EQ(page.text(), "  OS    Debian\n        GNU/Linux 12\n");
}

TEST(Page, GivesALabelThatIsTooWideALineOfItsOwn) {
  Page page({.width = 20});
  page.row(2, 6, "libcuda.so.1", "found");
  EXPECT_EQ(page.text(), "  libcuda.so.1\n        found\n");
}

TEST(Page, MasksBeforeItLaysOut) {
  Page page({.width = 10,
             .mask = [](const std::string& text) { return text == "secret name" ? "x" : text; }});
  page.paragraph(0, "secret name");
  page.row(0, 4, "a", "secret name");
  EXPECT_EQ(page.text(), "x\na   x\n");
}

TEST(Page, ColoursEveryLineOfItsOwn) {
  Page coloured({.width = 6, .coloured = true});
  coloured.paragraph(0, "no GPU", Style::bad);
  EXPECT_EQ(coloured.text(), "\x1b[31mno GPU\x1b[0m\n");
  Page plain({.width = 6});
  plain.paragraph(0, "no GPU", Style::bad);
  EXPECT_EQ(plain.text(), "no GPU\n");
}

}  // namespace
}  // namespace server
