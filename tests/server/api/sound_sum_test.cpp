#include "server/api/sound_sum.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <list>
#include <string>

#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using std::chrono::steady_clock;

steady_clock::time_point clock_now{};

class SoundSumTest : public testing::Test {
 protected:
  void keep(char letter) { test::write_text(sounds_.path(std::string(26, letter)), "sound!"); }
  SoundUse find() { return test::run(io_, sum_.find(disk_, sounds_)).value(); }

  test::TemporaryFolder folder_;
  SoundStore sounds_ = SoundStore::open(folder_ / "sounds").value();
  asio::io_context io_;
  FairCalls disk_{1, 1};  // which refuses a second call of the same owner
  SoundSum sum_{[] { return clock_now; }};
};

TEST_F(SoundSumTest, IsGoodForAWhile) {
  keep('a');
  EXPECT_EQ(find().bytes, 6U);
  keep('b');
  clock_now += SoundSum::good_for - std::chrono::milliseconds(1);
  EXPECT_EQ(find().jobs, 1U);
  clock_now += std::chrono::milliseconds(1);
  EXPECT_EQ(find().jobs, 2U);
  EXPECT_EQ(find().bytes, 12U);
}

TEST_F(SoundSumTest, IsMadeOnceForAllWhoAskAtTheSameTime) {
  keep('a');
  std::list<test::Started<Result<SoundUse>>> calls;
  for (int i = 0; i < 10; ++i) calls.emplace_back(io_, sum_.find(disk_, sounds_));
  for (const auto& call : calls) {
    test::run_until(io_, [&] { return call.ended(); });
    EXPECT_EQ(call.value().value().jobs, 1U);
  }
}

}  // namespace
}  // namespace server
