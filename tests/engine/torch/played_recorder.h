#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/torch/step_recorder.h"
#include "tests/engine/torch/operation_log.h"

// Records steps on the CPU as a device does: what is replayed is the step that was recorded,
// whatever is handed in later, and the test fails where its operations are not those of the
// recording any more: other memory, other sizes, other numbers.
class PlayedRecorder : public engine::StepRecorder {
 public:
  struct Counts {
    int recorded = 0;
    int replayed = 0;
    int generations = 0;
  };

  explicit PlayedRecorder(std::shared_ptr<Counts> counts = std::make_shared<Counts>())
      : counts_(std::move(counts)) {}

  engine::Recording record(const engine::Step& step) override {
    ++counts_->recorded;
    OperationLog log;
    const at::Tensor result = step();
    return {result, std::make_unique<Played>(step, log.operations(), counts_), {}};
  }
  void begin_generation() override { ++counts_->generations; }

 private:
  class Played : public engine::RecordedStep {
   public:
    Played(engine::Step step, std::vector<LoggedOperation> operations,
           std::shared_ptr<Counts> counts)
        : step_(std::move(step)), operations_(std::move(operations)), counts_(std::move(counts)) {}

    at::Tensor replay() override {
      ++counts_->replayed;
      const OperationLog log;
      at::Tensor result = step_();
      expect_same(log.operations());
      return result;
    }

   private:
    void expect_same(const std::vector<LoggedOperation>& found) const {
      ASSERT_EQ(found.size(), operations_.size()) << "a replayed step has other operations";
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].name, operations_[i].name) << i;
        ASSERT_EQ(found[i].inputs, operations_[i].inputs)
            << found[i].name << ": memory has moved, or a number of the host is in the step";
      }
    }

    engine::Step step_;
    std::vector<LoggedOperation> operations_;
    std::shared_ptr<Counts> counts_;
  };

  std::shared_ptr<Counts> counts_;
};
