#include "server/transcription/worker_setup.h"

#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"

namespace server {
namespace {

DevicePlan on_the_card() {
  return {.reason = "the first working GPU"};
}

DevicePlan on_the_cpu(const char* code) {
  DevicePlan plan{.reason = "no GPU works"};
  plan.passed_over = PassedOver{"a card", {.wanted = "auto", .finding = {.code = code}}};
  return plan;
}

TEST(MostWindows, AreThoseOfAllJobsThatMayRunAtOnce) {
  EXPECT_EQ(most_windows({}), 1);
  EXPECT_EQ(most_windows({.jobs = 4}), 4);
  EXPECT_EQ(most_windows({.options = {.long_form = protocol::LongForm::parallel}}), 8);
  EXPECT_EQ(most_windows({.options = {.long_form = protocol::LongForm::parallel}, .jobs = 4}), 32);
}

TEST(WorkerPerNode, IsForDaemonsWhoseNumberOfThreadsIsLeftOpen) {
  EXPECT_TRUE((SetupRequest{.serves = true}).has_worker_per_node());
  EXPECT_FALSE((SetupRequest{.threads = 8, .serves = true}).has_worker_per_node());
  EXPECT_FALSE((SetupRequest{}).has_worker_per_node());
}

TEST(MostGpuWindows, AreAsManyAsThereIsRoomForWhereManyAreOfUse) {
  EXPECT_EQ(most_gpu_windows({}), 1);
  EXPECT_EQ(most_gpu_windows({.jobs = 4}), 4);
  EXPECT_EQ(most_gpu_windows({.options = {.long_form = protocol::LongForm::parallel}}), 128);
  EXPECT_EQ(most_gpu_windows({.serves = true}), 130);
}

// Returns the plan if there is memory for `room` windows, and notes in `asked` what was tried.
WindowsPlan windows_in(int room, const SetupRequest& wanted, std::vector<int>& asked) {
  return plan_windows(wanted, [&](int windows) -> Result<DevicePlan> {
    asked.push_back(windows);
    return windows > room ? on_the_cpu(platform::code::memory_too_small) : on_the_card();
  });
}

TEST(PlanWindows, OfADaemonHasPlacesForParallelJobsWhereThereIsMemory) {
  struct Case {
    int room;
    SetupRequest wanted;
    int windows;
    std::vector<int> asked;
  };
  const SetupRequest parallel{
      .options = {.long_form = protocol::LongForm::parallel}, .jobs = 4, .serves = true};
  const std::vector<Case> cases{
      {100, {.jobs = 4, .serves = true}, 32, {34}},
      {10, {.jobs = 4, .serves = true}, 4, {34, 6}},
      {1, {.jobs = 4, .serves = true}, 4, {34, 6, 1}},
      {100, parallel, 32, {34}},
      {10, parallel, 32, {34, 1}},
      {100, {.jobs = 2}, 2, {2}},
  };
  for (const Case& expected : cases) {
    std::vector<int> asked;
    const auto found = windows_in(expected.room, expected.wanted, asked);
    EXPECT_EQ(found.windows, expected.windows);
    EXPECT_EQ(asked, expected.asked);
    EXPECT_TRUE(found.plan);
  }
}

TEST(PlanWithRoom, IsThatForAllWindowsWhereThereIsMemoryForThem) {
  std::vector<int> asked;
  const auto plan = plan_with_room(8, [&](int windows) -> Result<DevicePlan> {
    asked.push_back(windows);
    return on_the_card();
  });
  EXPECT_EQ(plan->reason, "the first working GPU");
  EXPECT_EQ(asked, std::vector<int>{8});
}

TEST(PlanWithRoom, KeepsACardThatIsGoodForOneWindowAndSaysSo) {
  const auto plan = plan_with_room(8, [](int windows) -> Result<DevicePlan> {
    if (windows > 1) return on_the_cpu(platform::code::memory_too_small);
    return on_the_card();
  });
  EXPECT_EQ(plan->reason, "the first working GPU; its memory may not do for 8 windows at once");
  EXPECT_FALSE(plan->passed_over);
}

TEST(PlanWithRoom, IsARefusalOnlyWhereThereIsNoRoomForOneWindowEither) {
  const Error too_small{errc::out_of_memory, "too small", ""};
  const auto for_one = plan_with_room(8, [&](int windows) -> Result<DevicePlan> {
    if (windows > 1) return too_small;
    return on_the_card();
  });
  EXPECT_TRUE(for_one);
  const auto for_none = plan_with_room(8, [&](int) -> Result<DevicePlan> { return too_small; });
  ASSERT_FALSE(for_none);
  EXPECT_EQ(for_none.error().code, errc::out_of_memory);
}

TEST(PlanWithRoom, AsksOnceWhereMemoryIsNotWhatIsMissing) {
  int asked = 0;
  const auto plan = plan_with_room(8, [&](int) -> Result<DevicePlan> {
    ++asked;
    return on_the_cpu(platform::code::cuda_driver_too_old);
  });
  EXPECT_EQ(plan->reason, "no GPU works");
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace server
