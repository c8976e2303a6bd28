#include "server/log/escaped_text.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(PrintableText, GivesATerminalNoOrders) {
  EXPECT_EQ(printable_line("\x1b[31mx\nscribed: \"forged\"\\ \xC2\x9B \xE2\x80\xAE \xFF"),
            R"(\u001b[31mx\nscribed: "forged"\ \u009b \u202e \ufffd)");
  EXPECT_EQ(printable_line("Österreich \xF0\x9F\x98\x80"), "Österreich \xF0\x9F\x98\x80");
}

TEST(PrintableText, LeavesLinesAndScriptsOfTranscriptsAlone) {
  EXPECT_EQ(printable_text("one\n\ttwo \xE2\x80\x8D\x1b]0;\x07"),
            "one\n\ttwo \xE2\x80\x8D\\u001b]0;\\u0007");
}

}  // namespace
}  // namespace server
