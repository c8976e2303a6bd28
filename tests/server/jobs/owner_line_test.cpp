#include "server/jobs/owner_line.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <vector>

namespace server {
namespace {

class OwnerLineTest : public testing::Test {
 protected:
  void enter(const std::string& owner, int number) {
    const auto work = [this, owner, number]() -> asio::awaitable<void> {
      auto entering = line_.enter(owner);
      tokens_[number] = co_await std::move(entering);
      entered_.push_back(number);
    };
    asio::co_spawn(io_, work, asio::bind_cancellation_slot(signal_.slot(), asio::detached));
    settle();
  }
  void settle() {
    io_.restart();
    io_.poll();
  }
  void leave(int number) {
    tokens_.erase(number);
    settle();
  }

  asio::io_context io_{};
  OwnerLine line_{io_.get_executor()};
  asio::cancellation_signal signal_{};  // of the last that has come
  std::map<int, std::shared_ptr<void>> tokens_{};
  std::vector<int> entered_{};
};

TEST_F(OwnerLineTest, OneOfEachOwnerIsInAndOthersFollowInOrder) {
  enter("ada", 1);
  enter("ada", 2);
  enter("ada", 3);
  enter("bob", 4);
  EXPECT_EQ(entered_, (std::vector{1, 4}));
  leave(1);
  EXPECT_EQ(entered_, (std::vector{1, 4, 2}));
  leave(4);
  leave(2);
  EXPECT_EQ(entered_, (std::vector{1, 4, 2, 3}));
  leave(3);
  enter("ada", 5);
  EXPECT_EQ(entered_.back(), 5);
}

TEST_F(OwnerLineTest, WhoGivesUpLetsNobodyWait) {
  enter("ada", 1);
  enter("ada", 2);
  signal_.emit(asio::cancellation_type::terminal);
  settle();
  enter("ada", 3);
  leave(1);
  EXPECT_EQ(entered_, (std::vector{1, 3}));
}

// The place is given and the wait cancelled before the one who waits runs again.
TEST_F(OwnerLineTest, WhoGivesUpInTheMomentOfHisTurnPassesItOn) {
  enter("ada", 1);
  enter("ada", 2);
  tokens_.erase(1);
  signal_.emit(asio::cancellation_type::terminal);
  settle();
  tokens_.clear();
  enter("ada", 3);
  EXPECT_EQ(entered_.back(), 3);
}

}  // namespace
}  // namespace server
