#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/whisper/runner/device_loop.h"
#include "tests/engine/whisper/runner/played_loop.h"

namespace engine {
namespace {

// A model with places for 16 windows and 24 rows, four windows of which are encoded together.
class PlacesTest : public DeviceLoopTest {
 protected:
  PlacesTest() {
    script_.plan.windows = 16;
    script_.plan.rows = 24;
    script_.plan.encodes = 4;
  }
  void expect_nothing_held() {
    EXPECT_EQ(script_.windows.now, 0);
    EXPECT_EQ(script_.rows.now, 0);
    EXPECT_EQ(loop_->use().windows_held, 0);
  }
};

// These are as many transcriptions at once as a worker takes, each with a window and then its
// decode; those of every fourth have five beams.
TEST_F(PlacesTest, WindowsAndRowsWaitForThemAndAllFinish) {
  make();
  constexpr int transcriptions = 512, threads = 64;
  std::atomic<int> next = 0, done = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < threads; ++i) {
      callers.emplace_back([&] {
        for (int name; (name = next++) < transcriptions;) {
          const auto of = name % 8 == 0 ? WorkClass::interactive : WorkClass::background;
          auto window = encode(name, of).get();
          ASSERT_TRUE(window) << window.error().message;
          const int beams = name % 4 == 0 ? 5 : 1;
          const auto result = decode(*window, of, 4, false, beams).get();
          ASSERT_TRUE(result) << result.error().message;
          ++done;
        }
      });
    }
  }
  EXPECT_EQ(done, transcriptions);
  EXPECT_LE(script_.windows.most, 16);
  EXPECT_LE(script_.rows.most, 24);
  EXPECT_GT(script_.rows.most, 5) << "decodes run beside each other";
  expect_nothing_held();
}

TEST_F(PlacesTest, ADecodeThatNeedsMoreRowsThanThereAreIsRefusedAsWantOfMemory) {
  make();
  const auto refused = decode(1, WorkClass::interactive, 4, false, 25).get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::out_of_memory);
  EXPECT_TRUE(decode(1, WorkClass::interactive, 4, false, 24).get());
}

// A model on a CPU has places for rows alone.
TEST_F(PlacesTest, RowsWaitForPlacesWhereWindowsHaveNoneOfThePlan) {
  script_.plan = {.rows = 12, .row_bytes = 1000};
  make();
  auto held = hold_the_device();
  std::vector<std::future<Result<DecodingResult>>> decodes;
  for (int name = 1; name <= 6; ++name) {
    decodes.push_back(decode(name, WorkClass::interactive, 4, false, name % 2 == 0 ? 10 : 5));
  }
  const auto refused = decode(7, WorkClass::interactive, 4, false, 13);
  let_go();
  for (auto& one : decodes) EXPECT_TRUE(one.get());
  held.get().value();
  EXPECT_LE(script_.rows.most, 12);
  EXPECT_GE(script_.rows.most, 10);
  EXPECT_EQ(loop_->windows_at_once(), 8);
  EXPECT_EQ(loop_->use().rows, 12);
  EXPECT_EQ(loop_->use().cache_bytes, 0) << "they take memory as they begin";
}

TEST_F(PlacesTest, ShortWindowsShareThePlaceOfAFullOne) {
  script_.plan = {};
  script_.positions = 500;
  make(1);
  std::vector<EncodedWindow> held;
  for (int name = 1; name <= 3; ++name) {
    held.push_back(encode(name, WorkClass::background).get().value());
  }
  auto fourth = encode(4, WorkClass::background);
  EXPECT_TRUE(decode(5, WorkClass::interactive, 4).get()) << "the device thread has seen it";
  EXPECT_EQ(script_.windows.now, 3);
  held.pop_back();
  held.push_back(fourth.get().value());
  EXPECT_EQ(script_.windows.most, 3);
  held.clear();
  expect_nothing_held();
}

// A clip comes while decodes of ten rows are under way.
TEST_F(PlacesTest, AUsualDecodeStepsTwiceAsOftenAsOnesOfTwiceItsRows) {
  script_.plan = {};
  make();
  auto held = hold_the_device();
  std::vector<std::future<Result<DecodingResult>>> decodes;
  for (int name = 1; name <= 4; ++name) {
    decodes.push_back(decode(name, WorkClass::interactive, 40, false, 10));
  }
  auto clip = decode(5, WorkClass::interactive, 20, false, 5);
  let_go();
  clip.get().value();
  for (auto& one : decodes) one.get().value();
  held.get().value();
  loop_.reset();
  const auto last = std::ranges::find_if(order_.rbegin(), order_.rend(),
                                         [](const auto& what) { return what.ends_with(" 5"); });
  const auto steps_of = [&](const char* name) {
    return std::count_if(last, order_.rend(), [&](const std::string& what) {
      return what.starts_with("step") && (what + " ").find(name) != what.npos;
    });
  };
  EXPECT_EQ(steps_of(" 5 "), 19);
  for (const char* name : {" 1 ", " 2 ", " 3 ", " 4 "}) EXPECT_LE(steps_of(name), 10) << name;
}

TEST_F(PlacesTest, WindowsThatWaitAreEncodedTogetherOneBatchBetweenTwoSteps) {
  make();
  auto held = hold_the_device();
  std::vector<std::future<Result<EncodedWindow>>> files;
  auto under_way = decode(50, WorkClass::background, 30);
  for (int name = 1; name <= 9; ++name) files.push_back(encode(name, WorkClass::background));
  let_go();
  for (auto& file : files) file.get().value();
  under_way.get().value();
  held.get().value();
  loop_.reset();
  std::vector<std::string> encoded;
  std::ptrdiff_t last = 0;
  for (std::ptrdiff_t i = 1; i < std::ssize(order_); ++i) {
    const std::string& what = order_[static_cast<std::size_t>(i)];
    if (!what.starts_with("encode")) continue;
    if (!encoded.empty()) {
      EXPECT_GT(i, last + 1) << "a step lies between";
    }
    encoded.push_back(what);
    last = i;
  }
  EXPECT_EQ(encoded, (std::vector<std::string>{"encode 1 2 3 4", "encode 5 6 7 8", "encode 9"}));
}

// A model on a CPU with many threads has no places to keep within, and takes two windows at once of
// those for which nobody waits.
class TwoAtOnceTest : public DeviceLoopTest {
 protected:
  TwoAtOnceTest() {
    script_.plan = {.encodes = 1};
    script_.encodes = 2;
  }
  // Returns what is encoded of windows that wait together, without the one that they wait for.
  std::vector<std::string> encoded(const std::vector<std::pair<int, WorkClass>>& waiting) {
    make();
    auto held = hold_the_device();
    std::vector<std::future<Result<EncodedWindow>>> windows;
    for (const auto& [name, of] : waiting) windows.push_back(encode(name, of));
    let_go();
    for (auto& window : windows) window.get().value();
    held.get().value();
    loop_.reset();
    return {order_.begin() + 1, order_.end()};
  }
};

TEST_F(TwoAtOnceTest, WindowsForWhichNobodyWaitsAreEncodedTogether) {
  EXPECT_EQ(encoded({{1, WorkClass::background}, {2, WorkClass::background}}),
            (std::vector<std::string>{"encode 1 2"}));
}

TEST_F(TwoAtOnceTest, AnUrgentWindowIsEncodedAloneAndAtOnce) {
  EXPECT_EQ(encoded({{1, WorkClass::background},
                     {2, WorkClass::background},
                     {3, WorkClass::live},
                     {4, WorkClass::live}}),
            (std::vector<std::string>{"encode 3", "encode 4", "encode 1", "encode 2"}))
      << "beside urgent work others go one by one";
}

TEST_F(PlacesTest, ABatchThatFailsIsEncodedWindowByWindow) {
  make();
  then_ = [](const std::string& what) {
    if (what.starts_with("encode") && what.find(" 2") != what.npos) throw std::runtime_error("2");
  };
  auto held = hold_the_device();
  std::vector<std::future<Result<EncodedWindow>>> files;
  for (int name = 1; name <= 4; ++name) files.push_back(encode(name, WorkClass::background));
  let_go();
  for (int name = 1; name <= 4; ++name) {
    EXPECT_EQ(files[static_cast<std::size_t>(name) - 1].get().has_value(), name != 2) << name;
  }
  held.get().value();
}

TEST_F(PlacesTest, OneRecordingHasAsManyWindowsAsThePlanLeavesIt) {
  make();
  EXPECT_EQ(loop_->windows_at_once(), 14) << "two are for urgent work";
  script_.plan.windows = 1;
  make();
  EXPECT_EQ(loop_->windows_at_once(), 1);
  script_.plan = {};
  make();
  EXPECT_EQ(loop_->windows_at_once(), 8);
}

}  // namespace
}  // namespace engine
