#include <gtest/gtest.h>

#include <future>
#include <new>
#include <string>
#include <vector>

#include "engine/whisper/runner/device_loop.h"
#include "tests/engine/whisper/runner/played_loop.h"

namespace engine {
namespace {

// A model on a CPU, where calls lack memory while more rows than `room` are held.
class MemoryTest : public DeviceLoopTest {
 protected:
  MemoryTest() { script_.may_try_again = true; }

  void lack_memory_in(const std::string& what) {
    then_ = [this, what](const std::string& done) {
      if (done.starts_with(what) && script_.rows.now > room) throw std::bad_alloc();
    };
  }
  void lack_memory_to_begin() {
    script_.started = [this](int rows) {
      if (script_.rows.now + rows > room) throw std::bad_alloc();
    };
  }
  // Decodes with so many rows begin together, each of ten tokens; returns the codes of their ends.
  std::vector<std::string> ends_of(const std::vector<int>& rows) {
    make();
    auto held = hold_the_device();
    std::vector<std::future<Result<DecodingResult>>> results;
    for (const int count : rows) {
      results.push_back(decode(count, WorkClass::interactive, 10, false, count));
    }
    let_go();
    std::vector<std::string> ends;
    for (auto& result : results) {
      const auto ended = result.get();
      ends.emplace_back(ended ? "text" : name(ended.error().code));
    }
    held.get().value();
    EXPECT_EQ(script_.rows.now, 0);
    return ends;
  }

  int room = 20;
};

using Ends = std::vector<std::string>;

TEST_F(MemoryTest, AStepThatLacksMemoryEndsTheDecodeWithTheMostRowsAlone) {
  lack_memory_in("step");
  EXPECT_EQ(ends_of({5, 16, 4}), (Ends{"text", "out_of_memory", "text"}));
  EXPECT_EQ(count("step 5 16 4"), 1) << "it is made again without the largest";
}

TEST_F(MemoryTest, SoManyEndAsHaveToTheLargestFirst) {
  room = 10;
  lack_memory_in("step");
  EXPECT_EQ(ends_of({12, 5, 13, 4}), (Ends{"out_of_memory", "text", "out_of_memory", "text"}));
}

TEST_F(MemoryTest, PromptsAreReadWithoutTheLargest) {
  lack_memory_in("prompt");
  EXPECT_EQ(ends_of({5, 16, 4}), (Ends{"text", "out_of_memory", "text"}));
}

TEST_F(MemoryTest, ADecodeThatCannotBeginEndsALargerOne) {
  lack_memory_to_begin();
  EXPECT_EQ(ends_of({16, 5}), (Ends{"out_of_memory", "text"}));
}

TEST_F(MemoryTest, ADecodeThatCannotBeginBesideSmallerOnesEndsItself) {
  lack_memory_to_begin();
  EXPECT_EQ(ends_of({5, 4, 16}), (Ends{"text", "text", "out_of_memory"}));
}

TEST_F(MemoryTest, AWindowThatCannotBeEncodedEndsADecodeOfManyRowsButNoUsualOne) {
  make();
  lack_memory_in("encode 1");
  for (const bool is_large : {false, true}) {
    room = is_large ? 20 : 4;
    std::promise<void> has_begun;
    std::atomic<bool> told = false;
    script_.started = [&](int) {
      if (!told.exchange(true)) has_begun.set_value();
    };
    auto under_way = decode(2, WorkClass::interactive, 200, false, is_large ? 30 : 5);
    has_begun.get_future().wait();
    const auto window = encode(1, WorkClass::interactive).get();
    EXPECT_EQ(window.has_value(), is_large);
    EXPECT_EQ(under_way.get().has_value(), !is_large);
    script_.started = [](int) {};
  }
}

TEST_F(MemoryTest, WhatIsKeptForLaterIsFreedBeforeTheCallIsMadeAgain) {
  lack_memory_in("step");
  ends_of({5, 16, 4});
  EXPECT_GE(count("release"), 1);
  EXPECT_LT(place("step 5 16 4"), place("release"));
  EXPECT_LT(place("release"), place("step 5 4"));
}

// A model whose failed step may have changed the decodes.
TEST_F(MemoryTest, WithoutASecondTryAllDecodesOfTheStepEnd) {
  script_.may_try_again = false;
  lack_memory_in("step");
  EXPECT_EQ(ends_of({5, 16, 4}), (Ends{"out_of_memory", "out_of_memory", "out_of_memory"}));
}

TEST_F(MemoryTest, AnotherFailureIsNotTakenForWantOfMemory) {
  then_ = [](const std::string& done) {
    if (done.starts_with("step")) throw std::runtime_error("broken");
  };
  EXPECT_EQ(ends_of({5, 16}), (Ends{"internal", "internal"}));
}

}  // namespace
}  // namespace engine
