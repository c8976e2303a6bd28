#pragma once

#include <ATen/ATen.h>

#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/device/graph_state.h"
#include "engine/torch/step_recorder.h"

namespace engine {

// The sizes of the choice in a step.
struct ChoiceShape {
  int rows = 0;          // places for rows that take a token
  int searches = 0;      // places for decodes that search with beams
  int beam_size = 0;     // of the widest of these
  bool samples = false;  // some rows take samples
  int history = 0;       // the longest n-gram that is not to be repeated; 0: no rule needs the text

  auto operator<=>(const ChoiceShape&) const = default;
};

// The sizes that a batched decode step is made for, rounded up so that there are few of them; all
// steps of one shape are the same operations on the same memory.
struct StepShape {
  int rows = 0;             // the first so many rows of the cache
  int windows = 0;          // the first so many windows
  int rows_per_window = 0;  // places for rows of each
  int length = 0;           // positions that self-attention looks at
  ChoiceShape choice{};

  auto operator<=>(const StepShape&) const = default;
};

struct GraphLimits {
  std::size_t most_recorded = 64;  // the shape that was not used for the longest time goes first
  std::int64_t first_pause = 256;  // steps without a recording after a failure; it doubles
  std::int64_t longest_pause = 65'536;
};

// Records a step of each shape the first time that it runs and replays it from then on, on devices
// where telling the operations apart takes longer than running them. The device's part is the
// recorder's. One thread runs steps; any thread may ask for the state.
class StepGraphs {
 public:
  explicit StepGraphs(std::unique_ptr<StepRecorder> recorder, GraphLimits limits = {});

  // Runs the step once, recorded or not, and returns its result, which is valid for what the device
  // is told before the next call. step() may be called on the host twice or not at all, so it does
  // nothing there; it reads and writes memory that stays where it is until forget(), and all steps
  // of one shape have the same operations. Throws what step() throws.
  at::Tensor run(const StepShape& shape, const Step& step);

  // Says that memory has moved: nothing that was recorded may run again.
  void forget();

  GraphState state() const;

 private:
  struct Kept {
    std::unique_ptr<RecordedStep> recorded;
    std::list<StepShape>::iterator place;  // in by_use_
  };

  at::Tensor replay(Kept& kept);
  at::Tensor record(const StepShape& shape, const Step& step);
  void keep(const StepShape& shape, std::unique_ptr<RecordedStep> recorded);
  void note_failure(std::string why);

  std::unique_ptr<StepRecorder> recorder_;
  GraphLimits limits_;
  std::map<StepShape, Kept> kept_;
  std::list<StepShape> by_use_;  // the one that was used last at the front
  std::int64_t pause_ = 0;       // after the last failure; 0: the last recording has worked
  std::int64_t left_ = 0;        // steps of the pause that are left
  mutable std::mutex mutex_;
  GraphState state_;  // guarded by mutex_
};

}  // namespace engine
