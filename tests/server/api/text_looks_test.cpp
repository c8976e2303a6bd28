#include "server/api/text_looks.h"

#include <gtest/gtest.h>

#include "tests/server/api/fake_exchange.h"

namespace server {
namespace {

protocol::Transcript interview() {
  protocol::Transcript transcript{.duration = 4000};
  transcript.segments = {{.start = 14.6, .end = 16, .text = " And you were how old?"},
                         {.start = 3761, .end = 3762, .text = " Nine.", .channel = 1},
                         {.start = 3763, .end = 3764, .text = " Nine?"}};
  transcript.segments[0].speaker = "Ada";
  return transcript;
}

std::string text_with(const TextLooks& looks) {
  return written_text("txt", interview(), {.channel_labels = {"Agent", "Caller"}}, looks).value();
}

TEST(TextLooks, TimesStandBeforeTheLines) {
  EXPECT_EQ(text_with({.times = true}),
            "[0:14] Ada: And you were how old?\n[1:02:41] Caller: Nine.\n[1:02:43] Nine?\n");
  EXPECT_EQ(text_with({}), "Ada: And you were how old?\nCaller: Nine.\nNine?\n");
}

TEST(TextLooks, NobodyIsNamedWhereThatIsNotWanted) {
  EXPECT_EQ(text_with({.speakers = false}), "And you were how old?\nNine.\nNine?\n");
  EXPECT_EQ(text_with({.times = true, .speakers = false}),
            "[0:14] And you were how old?\n[1:02:41] Nine.\n[1:02:43] Nine?\n");
}

TEST(TextLooks, AreReadFromTheAddress) {
  test::FakeExchange exchange(http::verb::get, "/v1/jobs/1/transcript");
  EXPECT_FALSE(text_looks(exchange)->times);
  EXPECT_TRUE(text_looks(exchange)->speakers);
  exchange.queries = {{"times", "true"}, {"speakers", "false"}};
  EXPECT_EQ(text_looks(exchange)->times, true);
  EXPECT_FALSE(text_looks(exchange)->speakers);
  exchange.queries = {{"times", "perhaps"}};
  EXPECT_EQ(text_looks(exchange).error().parameter, "times");
}

}  // namespace
}  // namespace server
