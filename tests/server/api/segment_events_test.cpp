#include "server/api/segment_events.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "tests/server/run_coroutine.h"

namespace server::api {
namespace {

using protocol::Segment;

std::string text_of(const Segment& segment) {
  return segment.text;
}

TEST(SegmentEvents, OthersAreServedBetweenTheEventsOfManySegments) {
  const std::vector<Segment> segments(100, Segment{.text = std::string(4096, 'x')});
  asio::io_context io;
  int others = 0;
  std::vector<int> served;
  std::size_t bytes = 0;
  const WriteEvents write = [&](std::string events) -> asio::awaitable<bool> {
    bytes += events.size();
    served.push_back(others);
    asio::post(io, [&] { ++others; });
    co_return true;
  };
  EXPECT_TRUE(test::run(io, write_segment_events(segments, text_of, write)));
  EXPECT_EQ(bytes, 100U * 4096U);
  ASSERT_EQ(served.size(), 25U);
  for (std::size_t i = 0; i < served.size(); ++i) EXPECT_EQ(served[i], static_cast<int>(i));
}

TEST(SegmentEvents, EndWhenTheClientIsGone) {
  const std::vector<Segment> segments(100, Segment{.text = std::string(20'000, 'x')});
  asio::io_context io;
  int written = 0;
  const WriteEvents write = [&](std::string) -> asio::awaitable<bool> { co_return ++written < 3; };
  EXPECT_FALSE(test::run(io, write_segment_events(segments, text_of, write)));
  EXPECT_EQ(written, 3);
  EXPECT_TRUE(test::run(io, write_segment_events({}, text_of, write))) << "there is nothing to do";
}

}  // namespace
}  // namespace server::api
