#include "server/jobs/run_writes.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <list>
#include <optional>
#include <stdexcept>

#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::Started;

RunWrite write_of(std::int64_t job) {
  return {.claim = {.number = job, .epoch = 1}};
}

// Its writes end when the test lets them.
class RunWritesTest : public testing::Test {
 protected:
  void begin(std::int64_t job) { started_.emplace_back(io_, writes_.write(write_of(job))); }
  void let_end() { may_end_.cancel(); }
  void run_until_begun(std::size_t batches) {
    test::run_until(io_, [&] { return batches_.size() == batches; });
  }
  const Started<Result<void>>& nth(int number) { return *std::next(started_.begin(), number); }

  asio::io_context io_{};
  asio::steady_timer may_end_{io_};
  std::vector<std::vector<std::int64_t>> batches_{};  // the jobs of each write of all
  bool throws_ = false;
  std::int64_t refused_ = 0;  // the job whose write is refused
  RunWrites writes_{io_.get_executor(),
                    [this](std::vector<RunWrite> writes) { return write_all(std::move(writes)); }};
  std::list<Started<Result<void>>> started_{};

 private:
  asio::awaitable<std::vector<Result<void>>> write_all(std::vector<RunWrite> writes) {
    if (throws_) throw std::runtime_error("no memory");
    batches_.emplace_back();
    std::vector<Result<void>> answers;
    for (const auto& one : writes) {
      batches_.back().push_back(one.claim.number);
      answers.push_back(one.claim.number == refused_ ? Result<void>(claim_lost()) : Result<void>());
    }
    may_end_.expires_after(std::chrono::hours(1));
    boost::system::error_code ended;
    auto wait = may_end_.async_wait(asio::redirect_error(asio::use_awaitable, ended));
    co_await std::move(wait);
    co_return answers;
  }
};

TEST_F(RunWritesTest, WhatComesWhileOneWaitsGoesTogetherInTheNext) {
  begin(1);
  run_until_begun(1);
  for (const int job : {2, 3, 4}) begin(job);
  let_end();
  run_until_begun(2);
  test::run_until(io_, [&] { return nth(0).ended(); });
  EXPECT_FALSE(nth(1).ended());
  begin(5);
  let_end();
  run_until_begun(3);
  let_end();
  test::run_until(io_, [&] { return nth(4).ended(); });
  EXPECT_EQ(batches_, (std::vector<std::vector<std::int64_t>>{{1}, {2, 3, 4}, {5}}));
}

TEST_F(RunWritesTest, EachHasItsOwnAnswer) {
  refused_ = 3;
  for (const int job : {2, 3, 4}) begin(job);
  test::run_until(io_, [&] {
    let_end();
    return nth(2).ended();
  });
  EXPECT_TRUE(nth(0).value());
  ASSERT_FALSE(nth(1).value());
  EXPECT_EQ(nth(1).value().error().code, errc::claim_lost);
  EXPECT_TRUE(nth(2).value());
}

TEST_F(RunWritesTest, WhatIsThrownReachesThoseOfThatWriteAndOthersGoOn) {
  throws_ = true;
  for (const int job : {1, 2}) begin(job);
  test::run_until(io_, [&] { return nth(1).ended(); });
  EXPECT_TRUE(nth(0).threw());
  EXPECT_TRUE(nth(1).threw());
  throws_ = false;
  begin(3);
  test::run_until(io_, [&] {
    let_end();
    return nth(2).ended();
  });
  EXPECT_TRUE(nth(2).value());
}

// Whoever is cancelled has to know what is on the disk.
TEST_F(RunWritesTest, WhoIsCancelledMeanwhileStillGetsTheAnswer) {
  begin(1);
  run_until_begun(1);
  started_.front().cancel();
  io_.poll();
  EXPECT_FALSE(nth(0).ended());
  let_end();
  test::run_until(io_, [&] { return nth(0).ended(); });
  EXPECT_TRUE(nth(0).value());
}

}  // namespace
}  // namespace server
