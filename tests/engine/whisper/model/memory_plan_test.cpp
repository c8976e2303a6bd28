#include "engine/whisper/model/memory_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace engine {
namespace {

constexpr ModelDims large_v3{128, 1500, 1280, 20, 32, 51866, 448, 1280, 20, 32};
constexpr ModelDims turbo{128, 1500, 1280, 20, 32, 51866, 448, 1280, 20, 4};
constexpr ModelDims base{80, 1500, 512, 8, 6, 51865, 448, 512, 8, 6};

constexpr std::int64_t gib = std::int64_t{1} << 30;
constexpr std::int64_t mb = 1'000'000;

struct PlanCase {
  std::string name;
  ModelDims dims;
  std::int64_t card_gib;
  std::int64_t free_mb;  // with the weights in place
  int rows_per_window;
  int windows;
  int encodes;
};

// 130 windows are wanted, in float16.
TEST(MemoryPlan, DividesCardsOfAllSizes) {
  const std::vector<PlanCase> cases{
      {"large-v3, beams, 8 GB", large_v3, 8, 4'900, 5, 6, 4},
      {"large-v3, greedy, 8 GB", large_v3, 8, 4'900, 1, 11, 8},
      {"large-v3, beams, 24 GB", large_v3, 24, 22'000, 5, 31, 16},
      {"large-v3, greedy, 24 GB", large_v3, 24, 22'000, 1, 61, 16},
      {"large-v3, beams, 80 GB", large_v3, 80, 82'000, 5, 123, 16},
      {"large-v3, greedy, 80 GB", large_v3, 80, 82'000, 1, 130, 16},
      {"turbo, beams, 8 GB", turbo, 8, 4'900, 5, 36, 16},
      {"turbo, greedy, 8 GB", turbo, 8, 4'900, 1, 77, 16},
      {"turbo, beams, 24 GB", turbo, 24, 22'000, 5, 130, 16},
      {"turbo, beams, 80 GB", turbo, 80, 82'000, 5, 130, 16},
      {"base, beams, 8 GB", base, 8, 4'900, 5, 66, 16},
      {"base, greedy, 8 GB", base, 8, 4'900, 1, 130, 16},
      {"base, beams, 80 GB", base, 80, 82'000, 5, 130, 16},
      {"large-v3, hardly room for one", large_v3, 8, 1'310, 5, 1, 1},
  };
  for (const PlanCase& expected : cases) {
    const MemoryRoom room{{expected.free_mb * mb, expected.card_gib * gib}, 2, true};
    const auto plan = plan_memory(expected.dims, room, {130, expected.rows_per_window, 1});
    ASSERT_TRUE(plan) << expected.name;
    EXPECT_EQ(plan->windows, expected.windows) << expected.name;
    EXPECT_EQ(plan->rows, expected.windows * expected.rows_per_window) << expected.name;
    EXPECT_EQ(plan->encodes, expected.encodes) << expected.name;
    EXPECT_LE(plan->store_bytes() + plan->work_bytes + plan->reserve_bytes, expected.free_mb * mb)
        << expected.name;
  }
}

TEST(MemoryPlan, OnePlaceHasTheKeysAndValuesOfAllLayers) {
  const auto plan = plan_memory(large_v3, {{82'000 * mb, 80 * gib}, 2, true}, {130, 5, 1}).value();
  EXPECT_EQ(plan.window_bytes, 245'760'000);
  EXPECT_EQ(plan.row_bytes, 73'400'320);
  EXPECT_EQ(plan.store_bytes(), 123 * 245'760'000LL + 615 * 73'400'320LL);
  EXPECT_EQ(text_of(plan), "123 windows and 615 rows in 75.4 GB of its memory");
  const auto of_turbo = plan_memory(turbo, {{}, 2, true}, {8, 5, 1}).value();
  EXPECT_EQ(of_turbo.window_bytes, 30'720'000);
  EXPECT_EQ(of_turbo.row_bytes, 9'175'040);
  const auto of_base = plan_memory(base, {{}, 4, true}, {8, 5, 1}).value();
  EXPECT_EQ(of_base.window_bytes, 36'864'000);
  EXPECT_EQ(of_base.row_bytes, 11'010'048);
}

TEST(MemoryPlan, TakesNoMoreThanIsWanted) {
  const MemoryRoom room{{82'000 * mb, 80 * gib}, 2, true};
  const auto one = plan_memory(large_v3, room, {1, 1, 1}).value();
  EXPECT_EQ(one.windows, 1);
  EXPECT_EQ(one.rows, 1);
  EXPECT_EQ(one.encodes, 1);
}

TEST(MemoryPlan, LeavesOtherModelsTheirPart) {
  const MemoryRoom room{{22'000 * mb, 24 * gib}, 2, true};
  const auto plan = plan_memory(turbo, room, {130, 5, 0.25}).value();
  EXPECT_EQ(plan.windows, 35);
  EXPECT_LE(plan.store_bytes() + plan.work_bytes + plan.reserve_bytes, 22'000 * mb / 4);
}

TEST(MemoryPlan, WiderNumbersAndStoredScoresTakeMore) {
  const DeviceMemory memory{22'000 * mb, 24 * gib};
  EXPECT_EQ(plan_memory(turbo, {memory, 4, true}, {130, 5, 1})->windows, 112);
  const auto stored = plan_memory(large_v3, {memory, 2, false}, {130, 5, 1}).value();
  EXPECT_EQ(stored.windows, 27);
  EXPECT_EQ(stored.encodes, 8);
}

TEST(MemoryPlan, WindowsInInt8LeaveRoomForMore) {
  MemoryRoom room{{22'000 * mb, 24 * gib}, 2, true};
  const auto wide = plan_memory(large_v3, room, {200, 1, 1}).value();
  room.int8_windows = true;
  const auto narrow = plan_memory(large_v3, room, {200, 1, 1}).value();
  EXPECT_EQ(narrow.window_bytes, wide.window_bytes / 2 + wide.window_bytes / 64);
  EXPECT_EQ(narrow.row_bytes, wide.row_bytes);
  EXPECT_EQ(wide.windows, 61);
  EXPECT_EQ(narrow.windows, 97);
}

// Each encode takes its activations three times: as it is, and in what recordings keep.
TEST(MemoryPlan, RecordedEncodesLeaveRoomForFewerWindows) {
  const MemoryRoom plain{{82'000 * mb, 80 * gib}, 2, true};
  MemoryRoom recording = plain;
  recording.records = true;
  const auto fewer = plan_memory(large_v3, recording, {130, 5, 1}).value();
  EXPECT_EQ(fewer.windows, 120);
  EXPECT_EQ(fewer.encodes, 16);
  const auto same = [](MemoryRoom room) {
    return plan_memory(large_v3, room, {100, 5, 1}).value().work_bytes;
  };
  EXPECT_EQ(same(recording) - same(plain), 16 * 2 * (16LL * 1500 * 1280 * 2));
  const DeviceMemory small{4'900 * mb, 8 * gib};
  EXPECT_EQ(plan_memory(turbo, {small, 2, true, true}, {130, 5, 1})->encodes, 4);
}

TEST(MemoryPlan, ACardThatHasNoRoomForOneWindowIsRefusedWithItsFigures) {
  const auto refused = plan_memory(large_v3, {{900 * mb, 8 * gib}, 2, true}, {130, 5, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::out_of_memory);
  EXPECT_EQ(refused.error().message,
            "beside the model 0.9 GB of the card are free, and decoding one window takes 1.3 GB");
}

struct RowsCase {
  std::string name;
  ModelDims dims;
  std::int64_t free_mb;  // with the weights in place
  MemoryWish wish;
  int rows;
};

// Histories are in bfloat16. Half of what is free is for rows.
TEST(MemoryPlan, DividesAMachinesMemoryIntoRows) {
  const std::vector<RowsCase> cases{
      {"a command with 100 beams", base, 8'000, {1 + 2, 100, 0.9}, 300},
      {"the same where memory is short", base, 1'000, {1 + 2, 100, 0.9}, 100},
      {"a daemon", base, 16'000, {32 + 2, 5, 0.9}, 170},
      {"a daemon of few windows has places for a decode of 100", base, 16'000, {4, 5, 0.9}, 100},
      {"a daemon, 2 GB", base, 2'000, {32 + 2, 5, 0.9}, 152},
      {"a daemon of two models, 2 GB", base, 2'000, {32 + 2, 5, 0.45}, 76},
      {"large-v3, 8 GB", large_v3, 8'000, {32 + 2, 5, 0.9}, 48},
      {"large-v3, 1 GB", large_v3, 1'000, {32 + 2, 5, 0.9}, 6},
      {"never less than a usual decode", large_v3, 100, {32 + 2, 5, 0.9}, 5},
      {"any number of windows", base, 16'000, {0, 5, 1}, 1'351},
      {"memory that nobody knows", base, 0, {32 + 2, 5, 0.9}, 170},
  };
  for (const RowsCase& expected : cases) {
    const auto plan = plan_rows(expected.dims, expected.free_mb * mb, 2, expected.wish);
    EXPECT_EQ(plan.rows, expected.rows) << expected.name;
    EXPECT_EQ(plan.windows, 0) << "windows have no places of the plan";
    EXPECT_EQ(plan.encodes, 1) << expected.name;
    if (expected.free_mb > 0 && plan.rows > expected.wish.rows_per_window) {
      EXPECT_LE(plan.store_bytes(), expected.free_mb * mb / 2) << expected.name;
    }
  }
  EXPECT_EQ(plan_rows(base, 0, 2, {0, 5, 1}).rows, 0) << "there is no limit";
  EXPECT_EQ(text_of(plan_rows(base, 16'000 * mb, 2, {34, 5, 0.9})), "170 rows in 1.0 GB");
}

TEST(MemoryPlan, WhereTheDeviceDoesNotTellTheWishIsThePlan) {
  const auto plan = plan_memory(base, {{}, 4, true}, {8, 3, 0.5}).value();
  EXPECT_EQ(plan.windows, 8);
  EXPECT_EQ(plan.rows, 24);
  EXPECT_EQ(plan.encodes, 8);
}

}  // namespace
}  // namespace engine
