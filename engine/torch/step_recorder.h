#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <memory>
#include <string>

namespace engine {

// A decode step, or any other piece of the device's work, as a list of device operations. On the
// host it says which; it depends on no number that the device computes.
using Step = std::function<at::Tensor()>;

// A step that can be run again without telling the device its operations one by one.
class RecordedStep {
 public:
  virtual ~RecordedStep() = default;

  // Runs the operations once, in the order of the device's work. The result is the same tensor each
  // time; what the device is told before the next replay of any recording may read it.
  virtual at::Tensor replay() = 0;
};

// The outcome of one run of a step that was to be recorded.
struct Recording {
  at::Tensor result;                       // of the run, which always took place
  std::unique_ptr<RecordedStep> recorded;  // null where recording failed
  std::string failure;                     // why, in the device's words
};

// The device's part of StepGraphs: one implementation for each kind of device that can record.
class StepRecorder {
 public:
  virtual ~StepRecorder() = default;

  // Runs the step once, and records it beside. step() is called twice on the host, and its
  // operations run once on the device. Throws what step() throws in the run.
  virtual Recording record(const Step& step) = 0;

  // Says that no recording is left. What is recorded from now on takes memory of its own.
  virtual void begin_generation() = 0;
};

}  // namespace engine
