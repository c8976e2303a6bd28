#include "server/api/event_feed.h"

#include <gtest/gtest.h>

#include "tests/server/api/sse_events.h"
#include "tests/server/run_coroutine.h"

namespace server {
namespace {

std::vector<std::string> texts(const EventFeed& feed, EventFeed::Place place = 0,
                               Audience audience = Audience::operators) {
  std::vector<std::string> found;
  for (const auto& event : feed.behind(place, audience, 1000)) {
    found.push_back(test::sse_data_of(*event.text).at(0));
  }
  return found;
}

using Texts = std::vector<std::string>;

TEST(EventFeed, KeepsTheNewestOfEachSubject) {
  EventFeed feed;
  feed.add({"job:1", Audience::all, "10 %"});
  feed.add({"job:2", Audience::all, "waits"});
  feed.add({"job:1", Audience::all, "20 %"});
  EXPECT_EQ(texts(feed), (Texts{"waits", "20 %"}));
}

TEST(EventFeed, AllReadersShareTheTextOfAnEvent) {
  EventFeed feed;
  feed.add({"job:1", Audience::all, R"({"a":1})"});
  const auto one = feed.behind(0, Audience::operators, 1).at(0);
  EXPECT_EQ(*one.text, "id: " + feed.id_of(1) + "\ndata: {\"a\":1}\n\n");
  EXPECT_EQ(feed.behind(0, Audience::others, 1).at(0).text, one.text);
}

TEST(EventFeed, AReaderGetsWhatIsBehindItsPlace) {
  EventFeed feed;
  feed.add({"job:1", Audience::all, "a"});
  const auto place = feed.newest();
  EXPECT_EQ(texts(feed, place), Texts{});
  feed.add({"job:1", Audience::all, "b"});
  feed.add({"job:2", Audience::all, "c"});
  EXPECT_EQ(texts(feed, place), (Texts{"b", "c"}));
  EXPECT_EQ(feed.behind(place, Audience::all, 1).size(), 1U);
}

TEST(EventFeed, EachAudienceReadsItsOwnEvents) {
  EventFeed feed;
  feed.add({"status", Audience::operators, "two wait"});
  feed.add({"status", Audience::others, "ready"});
  feed.add({"job:1", Audience::all, "10 %"});
  EXPECT_EQ(texts(feed, 0, Audience::operators), (Texts{"two wait", "10 %"}));
  EXPECT_EQ(texts(feed, 0, Audience::others), (Texts{"ready", "10 %"}));
  EXPECT_EQ(feed.newest_of("status", Audience::others), "ready");
  EXPECT_EQ(feed.newest_of("nothing", Audience::others), "");
}

TEST(EventFeed, AnIdLeadsBackToItsPlace) {
  EventFeed feed, other;
  feed.add({"job:1", Audience::all, "a"});
  other.add({"job:1", Audience::all, "a"});
  EXPECT_EQ(feed.place_of(feed.id_of(1)), 1U);
  EXPECT_EQ(feed.place_of(feed.id_of(0)), 0U);
  EXPECT_EQ(feed.place_of(feed.id_of(2)), std::nullopt) << "it has not been yet";
  EXPECT_EQ(feed.place_of(other.id_of(1)), std::nullopt) << "it is of an earlier process";
  for (const char* id : {"", "1", "-1", "x-1"}) EXPECT_EQ(feed.place_of(id), std::nullopt) << id;
  EXPECT_EQ(feed.place_of(feed.id_of(1) + "x"), std::nullopt);
}

TEST(EventFeed, APlaceIsGoodAsLongAsNothingBehindItIsForgotten) {
  EventFeed feed;
  for (std::size_t i = 0; i < EventFeed::most; ++i) {
    feed.add({"job:" + std::to_string(i), Audience::all, "a"});
  }
  EXPECT_FALSE(feed.has_lost(0));
  feed.add({"one more", Audience::all, "a"});
  EXPECT_TRUE(feed.has_lost(0));
  EXPECT_FALSE(feed.has_lost(1));
  EXPECT_EQ(feed.place_of(feed.id_of(0)), std::nullopt);
  EXPECT_EQ(texts(feed).size(), EventFeed::most);
  const auto place = feed.newest();
  for (int i = 0; i < 10'000; ++i) feed.add({"one more", Audience::all, "b"});
  EXPECT_FALSE(feed.has_lost(place)) << "an event that took another's place is not missing";
}

TEST(EventFeed, WakesWhoeverReads) {
  asio::io_context io;
  EventFeed feed;
  FeedReader reader(io.get_executor(), feed);
  const auto never = std::chrono::steady_clock::time_point::max();
  auto wait = [&](EventFeed::Place place) -> asio::awaitable<int> {
    co_await reader.changed(place, never);
    co_return 1;
  };
  asio::post(io, [&] { feed.add({"job:1", Audience::all, "a"}); });
  EXPECT_EQ(test::run(io, wait(feed.newest())), 1);
  EXPECT_EQ(test::run(io, wait(0)), 1) << "there is something already";
  asio::steady_timer later(io, std::chrono::milliseconds(20));  // when the reader waits
  later.async_wait([&](boost::system::error_code) { feed.wake(); });
  EXPECT_EQ(test::run(io, wait(feed.newest())), 1);
}

}  // namespace
}  // namespace server
