#include "server/base/fair_calls.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "tests/server/started.h"

namespace server {
namespace {

// Calls of eve, which last until release(), and those of bob, which do not.
class FairCallsTest : public testing::Test {
 protected:
  using Call = test::Started<Result<std::string>>;
  using Work = std::function<Result<std::string>(std::stop_token)>;

  ~FairCallsTest() override {
    release();
    for (auto& call : calls_of_all_) test::run_until(io_, [&] { return call.ended(); });
  }

  Call& call(const std::string& owner, std::shared_ptr<void> held = nullptr) {
    Work work = [owner, until = until_](std::stop_token) -> Result<std::string> {
      if (owner == "eve") until.wait();
      return owner;
    };
    return calls_of_all_.emplace_back(
        io_, calls_.run<std::string>(owner, std::move(work), std::move(held)));
  }
  void release() {
    if (!std::exchange(is_released_, true)) released_.set_value();
  }

  asio::io_context io_;
  std::promise<void> released_{};
  std::shared_future<void> until_ = released_.get_future().share();
  bool is_released_ = false;
  FairCalls calls_{2, 4};
  std::list<Call> calls_of_all_{};
};

TEST_F(FairCallsTest, CallsOfOneDoNotKeepOthersWaiting) {
  for (int i = 0; i < 4; ++i) call("eve");
  auto& other = call("bob");
  test::run_until(io_, [&] { return other.ended(); });
  EXPECT_EQ(other.value().value(), "bob");
  EXPECT_FALSE(calls_of_all_.front().ended());
  release();
  for (auto& one : calls_of_all_) {
    test::run_until(io_, [&] { return one.ended(); });
    EXPECT_TRUE(one.value());
  }
}

TEST_F(FairCallsTest, TooManyOfOneAreRefused) {
  for (int i = 0; i < 4; ++i) call("eve");
  auto& refused = call("eve");
  test::run_until(io_, [&] { return refused.ended(); });
  EXPECT_EQ(refused.value().error().code, errc::too_many_requests);
  auto& other = call("bob");
  test::run_until(io_, [&] { return other.ended(); });
  EXPECT_TRUE(other.value());
}

TEST_F(FairCallsTest, ACallThatIsCancelledBeforeItsTurnNeverBegins) {
  call("eve");
  auto began = std::make_shared<bool>(false);
  Work work = [began](std::stop_token) -> Result<std::string> {
    *began = true;
    return std::string();
  };
  auto& waiting = calls_of_all_.emplace_back(io_, calls_.run<std::string>("eve", std::move(work)));
  io_.poll();
  waiting.cancel();
  test::run_until(io_, [&] { return waiting.ended(); });
  EXPECT_TRUE(waiting.threw());
  release();
  auto& next = call("eve");
  test::run_until(io_, [&] { return next.ended(); });
  EXPECT_FALSE(*began);
}

// A thread that goes on with what nobody waits for any more is no other call's.
TEST_F(FairCallsTest, ACancelledCallKeepsItsThreadUntilThatIsFree) {
  const auto held = std::make_shared<int>();
  auto& first = call("eve", held);
  io_.poll();
  first.cancel();
  test::run_until(io_, [&] { return first.ended(); });
  EXPECT_TRUE(first.threw());
  EXPECT_EQ(held.use_count(), 2);
  auto& second = call("eve");
  io_.restart();
  io_.poll();
  EXPECT_FALSE(second.ended());
  release();
  test::run_until(io_, [&] { return second.ended(); });
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace server
