#include "engine/live/live_wishes.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace engine {
namespace {

bool has_news(const LiveWishes& wishes) {
  pollfd entry{wishes.news(), POLLIN, 0};
  return ::poll(&entry, 1, 0) == 1;
}

TEST(LiveWishes, AreTakenInOrderWhenTheirSampleIsReached) {
  LiveWishes wishes;
  wishes.add({100, live::Commit{}});
  wishes.add({100, live::Clear{}});
  wishes.add({200, protocol::LiveSettings{.language = "de"}});
  EXPECT_FALSE(wishes.take_until(99));
  EXPECT_TRUE(std::holds_alternative<live::Commit>(wishes.take_until(100)->what));
  EXPECT_TRUE(std::holds_alternative<live::Clear>(wishes.take_until(150)->what));
  EXPECT_FALSE(wishes.take_until(199));
  const auto last = wishes.take_until(1000);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->sample, 200);
  EXPECT_EQ(std::get<protocol::LiveSettings>(last->what).language, "de");
  EXPECT_FALSE(wishes.take_until(1000));
}

TEST(LiveWishes, ADescriptorTellsOfANewOne) {
  LiveWishes wishes;
  EXPECT_FALSE(has_news(wishes));
  wishes.quiet();
  wishes.add({5, live::Commit{}});
  wishes.add({6, live::Commit{}});
  EXPECT_TRUE(has_news(wishes));
  wishes.quiet();
  EXPECT_FALSE(has_news(wishes));
  EXPECT_TRUE(wishes.take_until(5));
}

TEST(LiveWishes, TooManyAreNotKept) {
  LiveWishes wishes;
  for (std::size_t i = 0; i < LiveWishes::most; ++i) wishes.add({0, live::Commit{}});
  EXPECT_FALSE(wishes.overflowed());
  wishes.add({0, live::Clear{}});
  EXPECT_TRUE(wishes.overflowed());
  std::size_t taken = 0;
  while (wishes.take_until(0)) ++taken;
  EXPECT_EQ(taken, LiveWishes::most);
}

}  // namespace
}  // namespace engine
