#include "server/api/shared_calls.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <list>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/base/once_event.h"
#include "tests/server/started.h"

namespace server::api {
namespace {

// Calls that end when they are released, with the number of calls that were made.
class SharedCallsTest : public testing::Test {
 protected:
  using Call = test::Started<Result<int>>;

  Call& call(const std::string& key) {
    std::function<asio::awaitable<Result<int>>()> make = [this] { return work(); };
    auto& call = calls_.emplace_back(io_, shared_.run(key, std::move(make)));
    io_.restart();
    io_.poll();
    return call;
  }
  asio::awaitable<Result<int>> work() {
    const int number = ++made_;
    co_await released_.wait();
    if (fails_) throw std::runtime_error("no");
    co_return number;
  }

  asio::io_context io_;
  OnceEvent released_{io_.get_executor()};
  bool fails_ = false;
  int made_ = 0;
  SharedCalls<int> shared_{};
  std::list<Call> calls_{};
};

TEST_F(SharedCallsTest, AreMadeOnceForAllWhoWantTheSame) {
  auto& first = call("a");
  auto& second = call("a");
  auto& other = call("b");
  EXPECT_EQ(made_, 2);
  released_.set();
  test::run_until(io_, [&] { return first.ended() && second.ended() && other.ended(); });
  EXPECT_EQ(first.value().value(), 1);
  EXPECT_EQ(second.value().value(), 1);
  EXPECT_EQ(other.value().value(), 2);
  auto& later = call("a");
  test::run_until(io_, [&] { return later.ended(); });
  EXPECT_EQ(later.value().value(), 3);
}

TEST_F(SharedCallsTest, GoOnWhenWhoWaitedHasLeft) {
  auto& first = call("a");
  auto& second = call("a");
  first.cancel();
  test::run_until(io_, [&] { return first.ended(); });
  EXPECT_TRUE(first.threw());
  released_.set();
  test::run_until(io_, [&] { return second.ended(); });
  EXPECT_EQ(second.value().value(), 1);
}

TEST_F(SharedCallsTest, ThatThrowAreErrorsForAll) {
  fails_ = true;
  auto& first = call("a");
  auto& second = call("a");
  released_.set();
  test::run_until(io_, [&] { return first.ended() && second.ended(); });
  EXPECT_EQ(first.value().error().code, errc::internal);
  EXPECT_EQ(second.value().error().code, errc::internal);
}

}  // namespace
}  // namespace server::api
