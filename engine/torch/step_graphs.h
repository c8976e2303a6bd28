#pragma once

#include <ATen/ATen.h>

#include <array>
#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
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

enum class StepKind {
  decode,   // one token of each row
  encode,   // a batch of windows
  prompts,  // a batch of prompts, and the first tokens behind them
};

// The sizes that a batched step is made for, rounded so that there are few of them; all steps of
// one shape are the same operations on the same memory.
struct StepShape {
  StepKind kind = StepKind::decode;
  int rows = 0;             // the first so many rows of the cache; of prompts: see PromptBatch
  int windows = 0;          // the first so many windows; else those of an encode, or the prompts
  int rows_per_window = 0;  // places for rows of each
  int length = 0;           // positions that self-attention looks at, or those of a prompt
  // The rows of short windows that are computed, or the rows of windows that are read with their
  // bias. 0: all windows are full, and have none.
  int audio_rows = 0;
  ChoiceShape choice{};

  // Returns whether a decode goes on in the same shape for many steps. Encodes and prompts may be
  // the only ones of their shape.
  bool is_one_of_many() const { return kind == StepKind::decode; }

  auto operator<=>(const StepShape&) const = default;
};

struct GraphLimits {
  // Shapes of all kinds together; the one that was not used for the longest time goes first.
  std::size_t most_recorded = 64;
  // A kind's steps without a recording after a failure, which double with each further one.
  std::int64_t first_pause = 256;
  std::int64_t longest_pause = 65'536;
};

// Records a step of each shape and replays it from then on, on devices where telling the operations
// apart takes longer than running them. Recording tells the operations once more and waits for the
// device, so a step that is one of many is recorded the first time that its shape runs, and another
// the second time. The device's part is the recorder's. One thread runs steps; any thread may ask
// for the state.
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

  // How recording steps of one kind goes. Another kind's failures are none of it.
  struct Pause {
    std::int64_t length = 0;  // after the last failure; 0: the last recording has worked
    std::int64_t left = 0;    // steps of the pause that are left
    std::string why{};        // the last failure, while no recording has worked since
  };

  // Returns nothing where the recording could not be started; it is gone then, and has done
  // nothing.
  std::optional<at::Tensor> replay(const StepShape& shape);
  bool is_worth_recording(const StepShape& shape);
  at::Tensor record(const StepShape& shape, const Step& step);
  void keep(const StepShape& shape, std::unique_ptr<RecordedStep> recorded);
  void note_failure(StepKind kind, const std::string& why);
  Pause& pause_of(StepKind kind) { return pauses_[static_cast<std::size_t>(kind)]; }
  std::string off() const;

  std::unique_ptr<StepRecorder> recorder_;
  GraphLimits limits_;
  std::map<StepShape, Kept> kept_;
  std::list<StepShape> by_use_;   // the one that was used last at the front
  std::set<StepShape> ran_once_;  // those that are recorded the next time
  std::array<Pause, 3> pauses_;   // by kind
  mutable std::mutex mutex_;
  GraphState state_;  // guarded by mutex_
};

}  // namespace engine
