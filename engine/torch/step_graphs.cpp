#include "engine/torch/step_graphs.h"

#include <algorithm>
#include <utility>

namespace engine {

StepGraphs::StepGraphs(std::unique_ptr<StepRecorder> recorder, GraphLimits limits)
    : recorder_(std::move(recorder)), limits_(limits) {}

at::Tensor StepGraphs::run(const StepShape& shape, const Step& step) {
  if (const auto found = kept_.find(shape); found != kept_.end()) return replay(found->second);
  {
    const std::lock_guard lock(mutex_);
    ++state_.plain;
  }
  if (left_ == 0) return record(shape, step);
  --left_;
  return step();
}

at::Tensor StepGraphs::replay(Kept& kept) {
  by_use_.splice(by_use_.begin(), by_use_, kept.place);
  {
    const std::lock_guard lock(mutex_);
    ++state_.replayed;
  }
  return kept.recorded->replay();
}

at::Tensor StepGraphs::record(const StepShape& shape, const Step& step) {
  // The memory that recordings share ends with the last of them, and a device's library refuses to
  // record into memory that has ended.
  if (kept_.empty()) recorder_->begin_generation();
  Recording made = recorder_->record(step);
  if (made.recorded) {
    keep(shape, std::move(made.recorded));
  } else {
    note_failure(std::move(made.failure));
  }
  return std::move(made.result);
}

void StepGraphs::keep(const StepShape& shape, std::unique_ptr<RecordedStep> recorded) {
  pause_ = 0;
  by_use_.push_front(shape);
  kept_.emplace(shape, Kept{std::move(recorded), by_use_.begin()});
  if (kept_.size() > limits_.most_recorded) {
    kept_.erase(by_use_.back());
    by_use_.pop_back();
  }
  const std::lock_guard lock(mutex_);
  state_.recorded = static_cast<int>(kept_.size());
  state_.off.clear();
}

// A failed recording may have been short of memory for a moment, or one shape alone; so it is tried
// again, less and less often.
void StepGraphs::note_failure(std::string why) {
  pause_ = pause_ == 0 ? limits_.first_pause : std::min(2 * pause_, limits_.longest_pause);
  left_ = pause_;
  const std::lock_guard lock(mutex_);
  ++state_.failures;
  state_.off = std::move(why);
}

void StepGraphs::forget() {
  kept_.clear();
  by_use_.clear();
  const std::lock_guard lock(mutex_);
  state_.recorded = 0;
}

GraphState StepGraphs::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace engine
