#pragma once

#include <ATen/ATen.h>

#include <compare>
#include <functional>

namespace engine {

// The sizes that a batched decode step is made for, rounded up so that there are few of them; all
// steps of one shape are the same operations on the same memory.
struct StepShape {
  int rows = 0;             // the first so many rows of the cache
  int windows = 0;          // the first so many windows
  int rows_per_window = 0;  // places for rows of each
  int length = 0;           // positions that self-attention looks at

  auto operator<=>(const StepShape&) const = default;
};

// Records a step of each shape once and replays it from then on, on devices where telling the
// kernels apart takes longer than running them.
class StepGraphs {
 public:
  virtual ~StepGraphs() = default;

  // Does what step() does and returns what it returns; the result is valid until the next call.
  // step() may run several times, or not at all: it must read and write memory that stays where it
  // is until forget(), and running it twice must do what running it once does.
  virtual at::Tensor run(const StepShape& shape, const std::function<at::Tensor()>& step) = 0;

  // Says that memory has moved: nothing that was recorded may run again.
  virtual void forget() = 0;

  // Returns whether a recording has failed, so that steps run as they are from then on.
  virtual bool gave_up() const = 0;
};

}  // namespace engine
