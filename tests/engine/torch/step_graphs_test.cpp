#include "engine/torch/step_graphs.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/torch/played_recorder.h"

namespace engine {
namespace {

// The calls of a recorder, and how it is to behave.
struct Device {
  std::vector<std::string> did;
  bool fails = false;
  bool refuses_replays = false;
  int runs = 0;  // of steps' operations
};

// A device whose memory of a generation ends with the last recording, as that of CUDA graphs does.
class Recorder : public StepRecorder {
 public:
  explicit Recorder(Device& device) : device_(device) {}

  Recording record(const Step& step) override {
    device_.did.emplace_back(device_.fails ? "fail" : "record");
    Recording made{step(), nullptr, "no memory"};
    ++device_.runs;
    if (device_.fails) return made;
    made.recorded = std::make_unique<Recorded>(device_, made.result);
    return made;
  }
  void begin_generation() override { device_.did.emplace_back("begin"); }

 private:
  class Recorded : public RecordedStep {
   public:
    Recorded(Device& device, at::Tensor result) : device_(device), result_(std::move(result)) {}
    at::Tensor replay() override {
      TORCH_CHECK(!device_.refuses_replays, "no room to start it");
      ++device_.runs;
      return result_;
    }

   private:
    Device& device_;
    at::Tensor result_;
  };

  Device& device_;
};

class StepGraphsTest : public ::testing::Test {
 protected:
  // Runs a step of so many rows, whose result is that number.
  int run(int rows) {
    return graphs_.run({.rows = rows}, [&] { return at::scalar_tensor(rows, at::kInt); })
        .item<int>();
  }
  int encode(int windows) {
    return graphs_
        .run({.kind = StepKind::encode, .windows = windows},
             [&] { return at::scalar_tensor(windows, at::kInt); })
        .item<int>();
  }
  void run_plain(int steps) {
    for (int i = 0; i < steps; ++i) run(1000 + i);
  }

  Device device_;
  StepGraphs graphs_{std::make_unique<Recorder>(device_),
                     {.most_recorded = 3, .first_pause = 4, .longest_pause = 10}};
};

using Did = std::vector<std::string>;

TEST_F(StepGraphsTest, EachShapeIsRecordedOnceAndEveryStepRunsOnce) {
  for (const int rows : {1, 2, 1, 1, 2}) EXPECT_EQ(run(rows), rows);
  EXPECT_EQ(device_.did, (Did{"begin", "record", "record"}));
  EXPECT_EQ(device_.runs, 5);
  EXPECT_EQ(graphs_.state().recorded, 2);
  EXPECT_EQ(graphs_.state().replayed, 3);
  EXPECT_EQ(graphs_.state().plain, 2);
}

TEST_F(StepGraphsTest, TheShapeThatWasNotUsedForTheLongestTimeMakesRoom) {
  for (const int rows : {1, 2, 3, 1, 4}) run(rows);
  device_.did.clear();
  for (const int rows : {1, 3, 4}) run(rows);
  EXPECT_EQ(device_.did, Did{});
  run(2);
  EXPECT_EQ(device_.did, Did{"record"});
  EXPECT_EQ(graphs_.state().recorded, 3);
}

TEST_F(StepGraphsTest, AnEncodeIsRecordedAtTheSecondUseOfItsShape) {
  for (const int windows : {4, 2, 4, 4, 4}) EXPECT_EQ(encode(windows), windows);
  EXPECT_EQ(device_.did, (Did{"begin", "record"})) << "the shape that came again";
  EXPECT_EQ(device_.runs, 3) << "of the recorder: its own run, and the replays";
  EXPECT_EQ(graphs_.state().replayed, 2);
  EXPECT_EQ(graphs_.state().plain, 3);
}

TEST_F(StepGraphsTest, AShapeThatComesAfterManyOthersIsNewAgain) {
  for (const int windows : {1, 2, 3, 4, 1}) encode(windows);
  EXPECT_EQ(device_.did, Did{});
  encode(1);
  EXPECT_EQ(device_.did, (Did{"begin", "record"}));
}

TEST_F(StepGraphsTest, ShapesOfAllKindsMakeRoomForEachOther) {
  for (const int rows : {1, 2, 3}) run(rows);
  for (int i = 0; i < 2; ++i) encode(1);
  EXPECT_EQ(graphs_.state().recorded, 3);
  device_.did.clear();
  run(1);
  EXPECT_EQ(device_.did, Did{"record"}) << "it was not used for the longest time";
}

TEST_F(StepGraphsTest, ShapesOfOneSizeAndSeveralKindsAreSeveral) {
  const auto result = [&](StepKind kind, int number) {
    return graphs_.run({.kind = kind, .windows = 1}, [&] { return at::scalar_tensor(number); })
        .item<int>();
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(result(StepKind::decode, 1), 1);
    EXPECT_EQ(result(StepKind::encode, 2), 2);
    EXPECT_EQ(result(StepKind::prompts, 3), 3);
  }
}

TEST_F(StepGraphsTest, WhatIsForgottenIsRecordedAgainIntoMemoryOfItsOwn) {
  run(1);
  graphs_.forget();
  EXPECT_EQ(graphs_.state().recorded, 0);
  run(1);
  EXPECT_EQ(device_.did, (Did{"begin", "record", "begin", "record"}));
}

TEST_F(StepGraphsTest, AnEncodeThatIsForgottenIsRecordedAtItsSecondUseAgain) {
  for (int i = 0; i < 2; ++i) encode(1);
  graphs_.forget();
  encode(1);
  EXPECT_EQ(device_.did, (Did{"begin", "record"}));
  encode(1);
  EXPECT_EQ(device_.did, (Did{"begin", "record", "begin", "record"}));
  EXPECT_EQ(graphs_.state().replayed, 0);
}

TEST_F(StepGraphsTest, AFailureIsAFactAndRecordingIsTriedAgainLessAndLessOften) {
  device_.fails = true;
  EXPECT_EQ(run(1), 1) << "the step has run all the same";
  EXPECT_EQ(graphs_.state().off, "decode steps: no memory");
  for (const int pause : {4, 8, 10, 10}) {
    device_.did.clear();
    run_plain(pause);
    EXPECT_EQ(device_.did, Did{}) << pause;
    run(1);
    EXPECT_EQ(device_.did, (Did{"begin", "fail"})) << "no recording was left";
  }
  EXPECT_EQ(graphs_.state().failures, 5);
  device_.fails = false;
  run_plain(10);
  run(1);
  EXPECT_EQ(graphs_.state().off, "");
  EXPECT_EQ(graphs_.state().recorded, 1);
  device_.fails = true;
  run(2);
  device_.did.clear();
  run_plain(4);
  EXPECT_EQ(device_.did, Did{});
  run(2);
  EXPECT_EQ(device_.did, Did{"fail"}) << "the first pause again, and the generation goes on";
}

TEST_F(StepGraphsTest, AKindThatCannotBeRecordedLeavesTheOthersAlone) {
  run(1);
  device_.fails = true;
  for (int i = 0; i < 2; ++i) encode(1);
  EXPECT_EQ(graphs_.state().off, "encodes: no memory");
  device_.fails = false;
  device_.did.clear();
  run(2);
  EXPECT_EQ(device_.did, Did{"record"}) << "without a pause";
  EXPECT_EQ(graphs_.state().off, "encodes: no memory") << "as before";
  for (int i = 0; i < 6; ++i) encode(1);
  EXPECT_EQ(device_.did, (Did{"record", "record"})) << "after a pause of four, at the second use";
  EXPECT_EQ(graphs_.state().off, "");
}

TEST_F(StepGraphsTest, WhatWasRecordedBeforeAFailureIsStillReplayed) {
  run(1);
  device_.fails = true;
  run(2);
  const auto before = graphs_.state().replayed;
  run(1);
  EXPECT_EQ(graphs_.state().replayed, before + 1);
}

TEST_F(StepGraphsTest, ARecordingThatCannotBeStartedIsForgottenAndItsStepRunsAsItIs) {
  run(1);
  run(2);
  device_.refuses_replays = true;
  EXPECT_EQ(run(1), 1);
  EXPECT_EQ(graphs_.state().recorded, 1);
  EXPECT_EQ(graphs_.state().replayed, 0);
  EXPECT_EQ(graphs_.state().plain, 3);
  EXPECT_EQ(graphs_.state().off, "decode steps: no room to start it");
  device_.refuses_replays = false;
  EXPECT_EQ(run(2), 2);
  EXPECT_EQ(graphs_.state().replayed, 1);
}

TEST_F(StepGraphsTest, AStepsOwnFailureGoesThroughAndIsNoneOfRecording) {
  const auto fail = []() -> at::Tensor { throw std::runtime_error("the step"); };
  EXPECT_THROW(graphs_.run({.rows = 1}, fail), std::runtime_error);
  EXPECT_EQ(graphs_.state().failures, 0);
  run(1);
  EXPECT_EQ(graphs_.state().recorded, 1);
}

// The recorder that other tests trust. What a fatal failure is expected of sees no locals.
at::Tensor replayed_memory;
int replayed_offset = 0;

void replay(const std::function<void()>& between) {
  StepGraphs graphs(std::make_unique<PlayedRecorder>());
  const auto step = [] { return replayed_memory.narrow(0, replayed_offset, 2) + 1; };
  replayed_memory = at::zeros({4});
  replayed_offset = 0;
  graphs.run({.rows = 1}, step);
  between();
  graphs.run({.rows = 1}, step);
}

TEST(PlayedRecorder, NoticesMemoryThatMovedAndNumbersOfTheHostInAStep) {
  replay([] { replayed_memory.fill_(7); });
  EXPECT_FATAL_FAILURE(replay([] { replayed_memory = replayed_memory.clone(); }), "has moved");
  EXPECT_FATAL_FAILURE(replay([] { replayed_offset = 1; }), "a number of the host");
}

}  // namespace
}  // namespace engine
