#include "server/live/sound_quota.h"

#include <memory>
#include <string>

#include "tests/server/live/live_fixture.h"

namespace server {
namespace {

class SoundQuotaTest : public test::LiveFixture {
 protected:
  void limit(OwnerLimits limits) { jobs.set_limits({.of_owner = {{"ada", limits}}}); }
  std::string check(const std::string& owner = "ada") {
    const auto fits = test::run(io, quota->check(owner));
    return fits ? "" : fits.error().code;
  }
  // Returns how many seconds the store has counted.
  double counted(const std::string& owner = "ada") {
    test::run_until(io, [&] { return !quota->is_busy(); });
    return test::run(io, jobs.use_of(owner)).value().sound_seconds;
  }

  const std::shared_ptr<SoundQuota> quota = std::make_shared<SoundQuota>(io.get_executor(), jobs);
};

TEST_F(SoundQuotaTest, SoundIsCountedInStepsAndTheRestAtTheEnd) {
  limit({.sound_seconds_per_day = 100});
  EXPECT_EQ(check(), "");
  EXPECT_EQ(quota->take("ada", 4), 4);
  EXPECT_EQ(counted(), 0) << "less than a step";
  EXPECT_EQ(quota->take("ada", 3), 3);
  EXPECT_EQ(counted(), 7);
  EXPECT_EQ(quota->take("ada", 1), 1);
  quota->settle("ada");
  EXPECT_EQ(counted(), 8);
}

TEST_F(SoundQuotaTest, NoMoreIsTakenThanIsLeft) {
  limit({.sound_seconds_per_day = 12});
  EXPECT_EQ(check(), "");
  EXPECT_EQ(quota->take("ada", 10), 10);
  EXPECT_EQ(quota->take("ada", 10), 2) << "the store has not answered yet";
  EXPECT_EQ(quota->take("ada", 1), 0);
  quota->settle("ada");
  EXPECT_EQ(counted(), 12);
  EXPECT_EQ(check(), errc::too_much_sound);
  EXPECT_EQ(quota->used_up("ada").code, errc::too_much_sound);
}

TEST_F(SoundQuotaTest, WhatTheOwnerUsesElsewhereIsLearntWithEachStep) {
  limit({.sound_seconds_per_day = 20});
  EXPECT_EQ(check(), "");
  EXPECT_EQ(quota->take("ada", 1), 1);
  ASSERT_TRUE(test::run(io, jobs.add_live_sound("ada", 12)));
  EXPECT_EQ(quota->take("ada", 5), 5);
  EXPECT_EQ(counted(), 18);
  EXPECT_EQ(quota->take("ada", 5), 2);
}

TEST_F(SoundQuotaTest, AnOwnerWithoutALimitHasAllAndIsNotCounted) {
  limit({.sound_seconds_per_day = 1});
  EXPECT_EQ(check("bob"), "");
  EXPECT_EQ(quota->take("bob", 1000), 1000);
  quota->settle("bob");
  EXPECT_EQ(counted("bob"), 0);
}

TEST_F(SoundQuotaTest, ASessionCountsAsAJobThatRuns) {
  limit({.open_jobs = 1});
  auto first = live.take_place("ada");
  ASSERT_TRUE(first);
  EXPECT_EQ(check(), "");
  EXPECT_EQ(test::run(io, jobs.use_of("ada")).value().open_jobs, 1);
  EXPECT_EQ(test::run(io, jobs.check("ada", "")).error().code, errc::too_many_jobs);
  EXPECT_EQ(test::run(io, live.admit("ada")).error().code, errc::too_many_jobs);
  first->reset();
  ASSERT_TRUE(test::run(io, jobs.submit({.owner = "ada"})));
  EXPECT_EQ(test::run(io, live.admit("ada")).error().code, errc::too_many_jobs);
  EXPECT_TRUE(test::run(io, live.admit("bob")));
}

TEST_F(SoundQuotaTest, WhoHasUsedUpTheDayIsNotAdmitted) {
  limit({.sound_seconds_per_day = 10});
  ASSERT_TRUE(test::run(io, jobs.add_live_sound("ada", 10)));
  EXPECT_EQ(test::run(io, live.admit("ada")).error().code, errc::too_much_sound);
  EXPECT_EQ(live.places().taken(), 0u) << "a refusal keeps no place";
  EXPECT_NE(metrics.text().find(R"(scribed_live_refused_total{reason="too_much_sound"} 1)"),
            std::string::npos);
}

}  // namespace
}  // namespace server
