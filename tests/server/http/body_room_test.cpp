#include "server/http/body_room.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace server {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t unit = 1 << 20;

// What one body of an owner holds, without the bytes that do not count.
class BodyRoomTest : public testing::Test {
 protected:
  struct Body {
    Body(BodyRoom& room, std::string whose) : share(room), owner(std::move(whose)) {}
    BodyRoom::Share share;
    std::string owner;
    std::optional<std::string> outcome{};  // nothing: it waits
  };
  using Bodies = std::vector<std::unique_ptr<Body>>;

  Body& body(const std::string& owner) {
    return *bodies.emplace_back(std::make_unique<Body>(room, owner));
  }
  void begin(Body& body, std::size_t units) {
    body.outcome.reset();
    asio::co_spawn(io, holding(body, BodyRoom::free_bytes + units * unit),
                   [](std::exception_ptr) {});
    io.restart();
    io.poll();
  }
  // Returns the code of the error; empty: it has room.
  std::string hold(Body& body, std::size_t units) {
    begin(body, units);
    while (!body.outcome && io.run_one() > 0) {
    }
    return *body.outcome;
  }

  asio::io_context io;
  BodyRoom room{16 * unit, milliseconds(30)};
  Bodies bodies;

 private:
  static asio::awaitable<void> holding(Body& body, std::size_t bytes) {
    auto work = body.share.hold(body.owner, bytes);
    const auto held = co_await std::move(work);
    body.outcome = held ? "" : held.error().code;
  }
};

TEST_F(BodyRoomTest, GivesAnOwnerHalfOfWhatTheOthersLeave) {
  EXPECT_EQ(hold(body("ada"), 8), "");
  EXPECT_EQ(hold(body("ada"), 1), errc::too_many_requests);
  EXPECT_EQ(hold(body("bob"), 5), errc::overloaded);
  EXPECT_EQ(hold(body("bob"), 4), "");
  EXPECT_EQ(hold(body("eve"), 2), "");
  EXPECT_EQ(hold(body("joe"), 1), "") << "however many there are, one more finds some";
  EXPECT_EQ(room.held(), 15 * unit);
}

TEST_F(BodyRoomTest, CountsNoSmallBodies) {
  EXPECT_EQ(hold(body("ada"), 8), "");
  EXPECT_EQ(hold(body("bob"), 4), "");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(hold(body("ada"), 0), "");
  EXPECT_EQ(room.held(), 12 * unit);
}

TEST_F(BodyRoomTest, TakesBackWhatABodyNoLongerHolds) {
  Body& large = body("ada");
  EXPECT_EQ(hold(large, 8), "");
  EXPECT_EQ(hold(large, 3), "");
  EXPECT_EQ(room.held(), 3 * unit);
  EXPECT_EQ(hold(body("ada"), 5), "");
  bodies.clear();
  EXPECT_EQ(room.held(), 0U);
}

TEST_F(BodyRoomTest, LetsABodyWaitUntilAnotherEnds) {
  EXPECT_EQ(hold(body("ada"), 6), "");
  Body& next = body("ada");
  begin(next, 5);
  EXPECT_EQ(next.outcome, std::nullopt);
  EXPECT_EQ(hold(body("bob"), 2), "") << "others do not wait behind it";
  EXPECT_EQ(next.outcome, std::nullopt);
  bodies.front().reset();
  while (!next.outcome && io.run_one() > 0) {
  }
  EXPECT_EQ(next.outcome, "");
  EXPECT_EQ(room.held(), 7 * unit);
}

TEST_F(BodyRoomTest, GivesNothingToABodyThatWasRefused) {
  Body& large = body("ada");
  EXPECT_EQ(hold(large, 4), "");
  EXPECT_EQ(hold(large, 9), errc::too_many_requests);
  EXPECT_EQ(room.held(), 4 * unit) << "it has what it had";
}

TEST_F(BodyRoomTest, MayBecomeSmallerThanWhatIsHeld) {
  EXPECT_EQ(hold(body("ada"), 8), "");
  room.set_bytes(4 * unit);
  EXPECT_EQ(hold(body("bob"), 1), errc::overloaded);
  bodies.front().reset();
  EXPECT_EQ(hold(body("bob"), 2), "");
}

}  // namespace
}  // namespace server
