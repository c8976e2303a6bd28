#include "engine/whisper/runner/device_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/whisper/runner/played_loop.h"

namespace engine {
namespace {

TEST_F(DeviceLoopTest, AClipGoesBeforeAllWindowsThatWaitForFiles) {
  make();
  auto held = hold_the_device();
  std::vector<std::future<Result<EncodedWindow>>> files;
  for (int name = 1; name < 6; ++name) files.push_back(encode(name, WorkClass::background));
  auto clip = encode(10, WorkClass::interactive);
  auto speaker = encode(11, WorkClass::live, 100);
  let_go();
  held.get().value();
  clip.get().value();
  speaker.get().value();
  for (auto& file : files) file.get().value();
  loop_.reset();
  EXPECT_EQ(order_.at(0), "encode 99");
  EXPECT_EQ(order_.at(1), "encode 11");
  EXPECT_EQ(order_.at(2), "encode 10");
}

TEST_F(DeviceLoopTest, DecodesOfFilesRestWhileAClipIsDecodedButHaveTheirShare) {
  make();
  auto held = hold_the_device();
  auto file = decode(1, WorkClass::background, 12);
  auto clip = decode(2, WorkClass::interactive, 40);
  let_go();
  clip.get().value();
  file.get().value();
  held.get().value();
  loop_.reset();
  const int alone = count("step 2");
  const int together = count("step 2 1");
  EXPECT_EQ(alone + together, 39) << "the prompt gives the first token";
  EXPECT_EQ(together, 4) << "one round in eight";
  EXPECT_EQ(count("step 1"), 11 - together) << "then it has the device for itself";
}

// A new clip comes whenever three steps were done, so that two are always under way.
TEST_F(DeviceLoopTest, FilesGetOnWhileOneClipFollowsTheOther) {
  make();
  constexpr int files = 9, most_clips = 1000, longest = 8;
  int steps = 0, file_steps = 0, clips = 0;
  std::vector<std::future<Result<DecodingResult>>> answers;
  const auto files_wait = [&] { return place("encode 9") == std::ssize(order_); };
  then_ = [&](const std::string& what) {
    if (what.ends_with(" 50")) ++file_steps;
    if (!what.starts_with("step") || ++steps % 3 != 0) return;
    if ((files_wait() || file_steps < 9) && clips < most_clips) {
      ++clips;
      answers.push_back(decode(100, WorkClass::interactive, 6));
    }
  };
  auto held = hold_the_device();
  std::vector<std::future<Result<EncodedWindow>>> encodes;
  for (int name = 1; name <= files; ++name) {
    encodes.push_back(encode(name, WorkClass::background));
  }
  auto decoded = decode(50, WorkClass::background, 10);
  auto first = decode(100, WorkClass::interactive, 6);
  let_go();
  for (auto& file : encodes) file.get().value();
  decoded.get().value();
  loop_.reset();
  EXPECT_LT(clips, most_clips) << "files had to wait for the end of the clips";
  int since = 0;
  for (const std::string& what : order_) {
    if (what.starts_with("step")) ++since;
    if (!what.starts_with("encode")) continue;
    EXPECT_LE(since, longest) << what;
    since = 0;
  }
}

TEST_F(DeviceLoopTest, NoMoreWindowsAreInMemoryThanItMayHold) {
  make(2);
  std::vector<std::future<Result<EncodedWindow>>> files;
  for (int name = 0; name < 4; ++name) files.push_back(encode(name, WorkClass::background));
  auto first = files[0].get().value();
  auto second = files[1].get().value();
  // Work that takes no window goes past that which waits for one.
  const auto waits = [&](int name) {
    decode(50, WorkClass::background, 1).get().value();
    const auto& file = files[static_cast<std::size_t>(name)];
    return file.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
  };
  EXPECT_TRUE(waits(2));
  encode(10, WorkClass::interactive).get().value();
  EXPECT_TRUE(waits(2)) << "the place of a clip is for clips";
  first.reset();
  const auto third = files[2].get().value();
  EXPECT_TRUE(waits(3));
  second.reset();
  files[3].get().value();
}

TEST_F(DeviceLoopTest, AStopRequestAlsoEndsWhatWaitsForAPlace) {
  make(1);
  const auto held = encode(0, WorkClass::background).get().value();
  auto waits = encode(1, WorkClass::background);
  stop_.request_stop();
  EXPECT_EQ(waits.get().error().code, Errc::cancelled);
}

TEST_F(DeviceLoopTest, WindowsMayOutliveIt) {
  make(1);
  auto window = encode(0, WorkClass::background).get().value();
  auto waits = encode(1, WorkClass::background);
  loop_.reset();
  EXPECT_EQ(waits.get().error().code, Errc::cancelled);
  window.reset();
}

class RunningAheadTest : public DeviceLoopTest {
 protected:
  RunningAheadTest() { script_.runs_ahead = true; }

  // The decode of window `name` ends after so many tokens.
  void end_after(int name, int tokens) {
    script_.token = [this, name, tokens](int of, int index) {
      return of == name && index == tokens ? tokenizer_.eot() : 'a' + index % 20;
    };
  }
  // Decodes one window alone and ends the loop.
  DecodingResult decode_alone(int sample_len, bool loop_detection = false) {
    make();
    auto answer = decode(1, WorkClass::interactive, sample_len, loop_detection);
    DecodingResult result = answer.get().value();
    loop_.reset();
    return result;
  }
  using Order = std::vector<std::string>;
};

TEST_F(RunningAheadTest, AStepIsReadWhenTheNextOneIsUnderWay) {
  EXPECT_EQ(decode_alone(4).tokens.size(), 4U);
  EXPECT_EQ(order_, (Order{"prompt 1", "step 1", "read prompt 1", "step 1", "read step 1", "step 1",
                           "read step 1", "read step 1"}))
      << "and none is taken that the length does not allow";
}

TEST_F(RunningAheadTest, ADecodeThatEndsHasHadOneStepTooManyWhichNobodyReads) {
  end_after(1, 3);
  EXPECT_EQ(decode_alone(100).tokens, (std::vector<int>{'a', 'b', 'c'}));
  EXPECT_EQ(count("step 1"), 4) << "three, and one in vain";
  EXPECT_EQ(count("read step 1"), 3);
}

TEST_F(RunningAheadTest, ADecodeThatIsCaughtInALoopEnds) {
  const DecodingResult result = decode_alone(200, /*loop_detection=*/true);
  EXPECT_TRUE(result.looping);
  EXPECT_EQ(result.tokens.size(), 64U);
  EXPECT_EQ(count("step 1"), 64) << "63, and one in vain";
}

TEST_F(RunningAheadTest, OneThatEndsLeavesTheOthersTheirOwnTokens) {
  end_after(1, 3);
  make();
  auto held = hold_the_device();
  auto short_one = decode(1, WorkClass::interactive, 20);
  auto long_one = decode(2, WorkClass::interactive, 20);
  let_go();
  EXPECT_EQ(short_one.get().value().tokens.size(), 3U);
  const auto tokens = long_one.get().value().tokens;
  ASSERT_EQ(tokens.size(), 20U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(tokens[static_cast<std::size_t>(i)], 'a' + i);
  loop_.reset();
  EXPECT_EQ(count("prompt 1 2"), 1) << "prompts that wait are read together";
  EXPECT_EQ(count("step 1 2"), 4);
  EXPECT_EQ(count("step 2"), 15);
  held.get().value();
}

TEST_F(RunningAheadTest, ACancelledDecodeEndsAtOnceAndTheLoopGoesOn) {
  make();
  int steps = 0;
  then_ = [&](const std::string& what) {
    if (what == "step 1" && ++steps == 5) decodes_stop_.request_stop();
  };
  auto cancelled = decode(1, WorkClass::interactive, 200);
  EXPECT_EQ(cancelled.get().error().code, Errc::cancelled);
  decodes_stop_ = {};
  auto next = decode(2, WorkClass::interactive, 3);
  EXPECT_EQ(next.get().value().tokens.size(), 3U);
  loop_.reset();
  EXPECT_EQ(count("step 1"), 5);
}

TEST_F(RunningAheadTest, WhatTheDeviceThrowsEndsAllThatIsUnderWayAndNothingLater) {
  for (const std::string failing : {"step 1 2", "read step 1 2", "read prompt 1 2"}) {
    make();
    int times = 0;
    then_ = [&](const std::string& what) {
      if (what == failing && ++times == 1) throw std::runtime_error("the device is gone");
    };
    order_.clear();
    is_held_ = {};
    may_go_on_ = {};
    auto held = hold_the_device();
    auto first = decode(1, WorkClass::interactive, 20);
    auto second = decode(2, WorkClass::interactive, 20);
    let_go();
    EXPECT_EQ(first.get().error().code, Errc::internal) << failing;
    EXPECT_EQ(second.get().error().code, Errc::internal) << failing;
    EXPECT_EQ(decode(3, WorkClass::interactive, 5).get().value().tokens.size(), 5U) << failing;
    held.get().value();
    loop_.reset();
  }
}

TEST_F(RunningAheadTest, APromptThatFailsEndsItsOwnDecodes) {
  make();
  std::future<Result<DecodingResult>> second;
  bool failed = false;
  then_ = [&](const std::string& what) {
    if (what == "step 1" && !second.valid()) second = decode(2, WorkClass::interactive, 5);
    if (what == "prompt 2" && !std::exchange(failed, true)) throw std::runtime_error("too long");
  };
  auto first = decode(1, WorkClass::interactive, 20);
  EXPECT_EQ(first.get().value().tokens.size(), 20U);
  EXPECT_EQ(second.get().error().code, Errc::internal);
}

}  // namespace
}  // namespace engine
