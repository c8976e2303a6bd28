#include "engine/torch/step_graphs.h"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

constexpr std::array kind_names{"decode steps", "encodes", "prompts"};  // by StepKind

}  // namespace

StepGraphs::StepGraphs(std::unique_ptr<StepRecorder> recorder, GraphLimits limits)
    : recorder_(std::move(recorder)), limits_(limits) {}

at::Tensor StepGraphs::run(const StepShape& shape, const Step& step) {
  if (kept_.contains(shape)) {
    if (auto result = replay(shape)) return *std::move(result);
  }
  {
    const std::lock_guard lock(mutex_);
    ++state_.plain;
  }
  if (auto& left = pause_of(shape.kind).left; left > 0) {
    --left;
    return step();
  }
  return is_worth_recording(shape) ? record(shape, step) : step();
}

bool StepGraphs::is_worth_recording(const StepShape& shape) {
  if (shape.is_one_of_many() || ran_once_.erase(shape) > 0) return true;
  // Shapes that come so seldom that many others lie between are as good as new.
  if (ran_once_.size() >= limits_.most_recorded) ran_once_.clear();
  ran_once_.insert(shape);
  return false;
}

std::optional<at::Tensor> StepGraphs::replay(const StepShape& shape) {
  Kept& kept = kept_.at(shape);
  by_use_.splice(by_use_.begin(), by_use_, kept.place);
  try {
    at::Tensor result = kept.recorded->replay();
    const std::lock_guard lock(mutex_);
    ++state_.replayed;
    return result;
  } catch (const c10::Error& failure) {
    // The caller runs the step as it is then, which throws as well if the device has failed.
    by_use_.erase(kept.place);
    kept_.erase(shape);
    note_failure(shape.kind, failure.what_without_backtrace());
    return std::nullopt;
  }
}

at::Tensor StepGraphs::record(const StepShape& shape, const Step& step) {
  // The memory that recordings share ends with the last of them, and a device's library refuses to
  // record into memory that has ended.
  if (kept_.empty()) recorder_->begin_generation();
  Recording made = recorder_->record(step);
  if (made.recorded) {
    keep(shape, std::move(made.recorded));
  } else {
    note_failure(shape.kind, made.failure);
  }
  return std::move(made.result);
}

void StepGraphs::keep(const StepShape& shape, std::unique_ptr<RecordedStep> recorded) {
  pause_of(shape.kind) = {};
  by_use_.push_front(shape);
  kept_.emplace(shape, Kept{std::move(recorded), by_use_.begin()});
  if (kept_.size() > limits_.most_recorded) {
    kept_.erase(by_use_.back());
    by_use_.pop_back();
  }
  const std::lock_guard lock(mutex_);
  state_.recorded = static_cast<int>(kept_.size());
  state_.off = off();
}

// A failed recording may have been short of memory for a moment, or one shape alone; so it is tried
// again, less and less often.
void StepGraphs::note_failure(StepKind kind, const std::string& why) {
  Pause& pause = pause_of(kind);
  pause.length =
      pause.length == 0 ? limits_.first_pause : std::min(2 * pause.length, limits_.longest_pause);
  pause.left = pause.length;
  pause.why = std::string(kind_names[static_cast<std::size_t>(kind)]) + ": " + why;
  const std::lock_guard lock(mutex_);
  ++state_.failures;
  state_.recorded = static_cast<int>(kept_.size());
  state_.off = off();
}

std::string StepGraphs::off() const {
  const auto* failed =
      std::ranges::find_if(pauses_, [](const Pause& pause) { return pause.length > 0; });
  return failed == pauses_.end() ? "" : failed->why;
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
