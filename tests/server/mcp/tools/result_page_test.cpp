#include "server/mcp/tools/result_page.h"

#include <gtest/gtest.h>

#include "server/mcp/tools/result.h"

namespace server {
namespace {

std::vector<protocol::Segment> segments_of(int count, const std::string& text) {
  std::vector<protocol::Segment> segments;
  for (int i = 0; i < count; ++i) {
    segments.push_back({.id = i, .start = double(i), .end = i + 1.0, .text = text});
  }
  return segments;
}

// What the page takes of a result.
std::size_t size_of(const ResultPage& page) {
  const std::size_t segments = page.segments.empty() ? 0 : result_size(page.segments);
  return 2 * text_size(page.text) + segments;
}

TEST(ResultPage, HoldsAsManySegmentsAsFitTwice) {
  const auto segments = segments_of(100, " word");
  const auto page = fill_page(segments, {}, {}, 50);
  EXPECT_EQ(page.next, 5);
  EXPECT_EQ(page.text, "word word word word word");
  EXPECT_TRUE(page.segments.empty());
  EXPECT_EQ(fill_page(segments, {.offset = 20}, {}, 59).next, 25);
}

TEST(ResultPage, CountsWhatJsonMakesOfTheText) {
  for (const std::string text : {" \"a\"", " \\", " \n", " \u00e9\u4f1a", " \x01"}) {
    for (const bool with_segments : {false, true}) {
      const auto page =
          fill_page(segments_of(100, text), {.with_segments = with_segments}, {}, 600);
      EXPECT_LE(size_of(page), 601u) << text << "; the list has two brackets";
      EXPECT_GT(page.next, 1) << text;
    }
  }
}

TEST(ResultPage, ASegmentThatIsLongerThanThePageIsCutAndTheNextPageFollowsIt) {
  auto segments = segments_of(2, " " + std::string(1000, 'x'));
  segments[0].words.assign(50, {0, 1, " x", 1});
  const auto page =
      fill_page(segments, {.with_segments = true, .with_words = true, .offset = 7}, {}, 600);
  EXPECT_EQ(page.next, 8);
  EXPECT_FALSE(page.text.empty());
  EXPECT_LE(size_of(page), 610u);
  EXPECT_FALSE(page.segments[0].contains("words"));
}

TEST(ResultPage, TellsWhoSpeaks) {
  auto segments = segments_of(3, " Hello.");
  segments[0].channel = 1;
  segments[1].channel = 0;
  segments[1].speaker = "Ada";
  const auto page = fill_page(segments, {.with_segments = true}, {"Agent", "Caller"}, 5000);
  EXPECT_EQ(page.text, "Caller: Hello.\nAda: Hello.\n Hello.");
  EXPECT_EQ(page.segments[0]["speaker"], "Caller");
  EXPECT_EQ(page.segments[1]["speaker"], "Ada");
  EXPECT_FALSE(page.segments[2].contains("speaker"));
}

TEST(CutText, KeepsCharactersWhole) {
  EXPECT_EQ(cut_text("a\u00e9b", 2), "a");
  EXPECT_EQ(cut_text("a\u00e9b", 3), "a\u00e9");
  EXPECT_EQ(cut_text("ab", 5), "ab");
}

}  // namespace
}  // namespace server
