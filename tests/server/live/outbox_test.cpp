#include "server/live/outbox.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/server/run_coroutine.h"

namespace server {
namespace {

class OutboxTest : public ::testing::Test {
 protected:
  // Returns the frames that wait, with "(ping)" for a ping.
  std::vector<std::string> take_all() {
    outbox_.close({1000, ""});
    std::vector<std::string> frames;
    while (const auto frame = test::run(io_, outbox_.next())) {
      frames.push_back(frame->is_ping ? "(ping)" : frame->bytes);
    }
    return frames;
  }

  asio::io_context io_;
  Outbox outbox_{io_.get_executor()};
};

TEST_F(OutboxTest, GivesFramesInOrderAndThenTheEnd) {
  outbox_.send({"one"});
  outbox_.send({"two"});
  EXPECT_EQ(take_all(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(outbox_.closing().code, 1000);
}

TEST_F(OutboxTest, ANewerFrameTakesThePlaceOfAnOlderOneBehindAllOthers) {
  outbox_.send({"guess 1", "guess"});
  outbox_.send({"other 1", "other"});
  outbox_.send({"sure"});
  outbox_.send({"guess 2", "guess"});
  EXPECT_EQ(take_all(), (std::vector<std::string>{"other 1", "sure", "guess 2"}));
}

TEST_F(OutboxTest, APingGoesFirstAndOneIsEnough) {
  outbox_.send({"one"});
  outbox_.ping();
  outbox_.ping();
  EXPECT_EQ(take_all(), (std::vector<std::string>{"(ping)", "one"}));
}

TEST_F(OutboxTest, AClientThatDoesNotReadIsToldSoAndNothingElse) {
  const std::string frame(100'000, 'x');
  for (int i = 0; i < 11 && !outbox_.is_closing(); ++i) outbox_.send({frame});
  ASSERT_TRUE(outbox_.is_closing());
  EXPECT_EQ(outbox_.closing().code, 1008);
  EXPECT_TRUE(take_all().empty());
}

TEST_F(OutboxTest, FramesThatAreReplacedTakeNoRoom) {
  const std::string frame(100'000, 'x');
  for (int i = 0; i < 100; ++i) outbox_.send({frame, "guess"});
  EXPECT_FALSE(outbox_.is_closing());
  EXPECT_EQ(take_all().size(), 1u);
}

TEST_F(OutboxTest, FramesWithoutBytesAreNotFree) {
  for (int i = 0; i < 20'000; ++i) outbox_.send({""});
  EXPECT_TRUE(outbox_.is_closing());
}

TEST_F(OutboxTest, TheFirstEndCountsAndNothingComesBehindIt) {
  outbox_.close({1001, "the end"});
  outbox_.close({1008, "no"});
  outbox_.send({"late"});
  EXPECT_TRUE(take_all().empty());
  EXPECT_EQ(outbox_.closing().code, 1001);
}

}  // namespace
}  // namespace server
