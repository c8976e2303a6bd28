#include "server/mcp/tools/file_page.h"

#include <gtest/gtest.h>

#include <utility>

#include "server/mcp/tools/result.h"

namespace server {
namespace {

constexpr char srt[] =
    "1\n00:00:00,000 --> 00:00:01,000\nOne.\n\n"
    "2\n00:00:01,000 --> 00:00:02,000\nTwo.\n\n"
    "3\n00:00:02,000 --> 00:00:03,000\nThree.\n\n";
constexpr char vtt[] =
    "WEBVTT\n\n00:00.000 --> 00:01.000\nOne.\n\n00:01.000 --> 00:02.000\nTwo.\n\n";
constexpr char tsv[] = "start\tend\ttext\n0\t1000\tOne.\n1000\t2000\tTwo.\n";
constexpr char rttm[] =
    "SPEAKER talk 1 0.000 1.000 <NA> <NA> A <NA> <NA>\n"
    "SPEAKER talk 1 1.000 1.000 <NA> <NA> B <NA> <NA>\n";
constexpr std::size_t plenty = 10'000;

TEST(FilePage, PagesJoinedAreTheFile) {
  using Case = std::pair<std::string, std::string>;
  for (const auto& [format, file] :
       {Case{"srt", srt}, Case{"vtt", vtt}, Case{"tsv", tsv}, Case{"rttm", rttm}}) {
    for (const std::size_t room : {std::size_t{100}, std::size_t{200}, plenty}) {
      std::string joined;
      FilePage page{.is_last = false};
      for (int pages = 0; !page.is_last && pages < 10; ++pages) {
        page = fill_file_page(file, {.format = format, .offset = page.next}, room);
        EXPECT_LE(2 * text_size(page.text), room);
        joined += page.text;
      }
      EXPECT_EQ(joined, file) << format << " in pieces of " << room;
      EXPECT_TRUE(page.is_last);
    }
  }
}

TEST(FilePage, AHeadingBelongsToTheFirstEntry) {
  const auto page = fill_file_page(vtt, {.format = "vtt", .limit = 1}, plenty);
  EXPECT_EQ(page.text, "WEBVTT\n\n00:00.000 --> 00:01.000\nOne.\n\n");
  EXPECT_EQ(page.next, 1);
  EXPECT_FALSE(page.is_last);
  EXPECT_EQ(fill_file_page("WEBVTT\n\n", {.format = "vtt"}, plenty).text, "WEBVTT\n\n");
}

TEST(FilePage, NothingStandsBehindTheEnd) {
  const auto page = fill_file_page(srt, {.format = "srt", .offset = 3}, plenty);
  EXPECT_EQ(page.text, "");
  EXPECT_EQ(page.next, 3);
  EXPECT_TRUE(page.is_last);
}

TEST(FilePage, AnEntryThatIsLongerThanAPageIsCut) {
  const auto page = fill_file_page(srt, {.format = "srt", .offset = 1}, 40);
  EXPECT_FALSE(page.text.empty());
  EXPECT_LE(2 * text_size(page.text), 40U);
  EXPECT_EQ(page.next, 2);
}

}  // namespace
}  // namespace server
