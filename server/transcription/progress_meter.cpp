#include "server/transcription/progress_meter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "protocol/json_numbers.h"

namespace server {
namespace {

using protocol::json::seconds;

// The speed is too uncertain to show before this much sound.
constexpr double steady_after_sound_s = 10;
constexpr double steady_after_s = 2;
constexpr int steady_after_steps = 2;

// The time left, up to a limit, is rounded to such steps, so that small changes of the speed do not
// show.
struct Step {
  double up_to_s;
  double step_s;
};
constexpr std::array steps_of_time_left{Step{10, 1}, Step{60, 5}, Step{600, 10}, Step{3600, 30},
                                        Step{std::numeric_limits<double>::infinity(), 60}};

double rounded_time_left(double left_s) {
  const auto step = std::ranges::find_if(
      steps_of_time_left, [&](const Step& candidate) { return left_s <= candidate.up_to_s; });
  return std::ceil(left_s / step->step_s) * step->step_s;
}

double rounded_speed(double speed) {
  const double digits = speed < 1 ? 100 : 10;
  return std::round(speed * digits) / digits;
}

}  // namespace

ProgressMeter::ProgressMeter(std::vector<double> clips, double position, double duration)
    : clips_(std::move(clips)) {
  figures_.duration = seconds(duration);
  figures_.position =
      duration > 0 ? std::min(seconds(position), figures_.duration) : seconds(position);
  figures_.listened = figures_.position;
  count_percent();
}

void ProgressMeter::enter(TranscriptionPhase phase) {
  figures_.phase = std::max(figures_.phase, phase);
}

void ProgressMeter::take(const protocol::Progress& report, Time now) {
  if (report.phase == protocol::ProgressPhase::diarizing) return take_diarized(report);
  const bool listens = report.phase == protocol::ProgressPhase::listening;
  enter(listens ? TranscriptionPhase::listening : TranscriptionPhase::transcribing);
  figures_.duration = std::max(figures_.duration, seconds(report.duration_s));
  const double most =
      figures_.duration > 0 ? figures_.duration : std::numeric_limits<double>::infinity();
  const double position = std::min(most, std::max(0.0, seconds(report.position_s)));
  figures_.listened = std::max(figures_.listened, position);
  // A worker that knows the duration has listened to the end.
  if (!listens && report.duration_s > 0) figures_.listened = figures_.duration;
  if (!listens) decide(position, now);
  count_percent();
}

// All text is decided by then.
void ProgressMeter::take_diarized(const protocol::Progress& report) {
  enter(TranscriptionPhase::diarizing);
  figures_.diarized = std::max(figures_.diarized, seconds(report.position_s));
  figures_.left_s.reset();
}

void ProgressMeter::decide(double position, Time now) {
  const double sound = sound_before(position);
  figures_.position = std::max(figures_.position, position);
  if (!begin_) begin_ = {sound, now};
  if (sound <= furthest_) return;  // figures change with decided sound, not with the clock
  furthest_ = sound;
  const double done = sound - begin_->sound;
  const double busy = std::chrono::duration<double>(now - begin_->time).count();
  if (done > 0) ++steps_;
  const bool is_steady =
      done >= steady_after_sound_s && busy >= steady_after_s && steps_ >= steady_after_steps;
  if (!is_steady) return;
  const double speed = done / busy;
  figures_.speed = rounded_speed(speed);
  if (figures_.duration <= 0) return;
  const double left = std::max(0.0, sound_before(figures_.duration) - sound);
  figures_.left_s = rounded_time_left(left / speed);
}

double ProgressMeter::sound_before(double position) const {
  if (clips_.empty()) return position;
  double sum = 0;
  for (std::size_t i = 0; i < clips_.size(); i += 2) {
    const bool is_open = i + 1 == clips_.size();
    const double end = is_open ? position : std::min(clips_[i + 1], position);
    sum += std::max(0.0, end - clips_[i]);
  }
  return sum;
}

// The percentage is rounded down, so that 100 means the whole.
void ProgressMeter::count_percent() {
  const double all = sound_before(figures_.duration);
  if (figures_.duration <= 0 || all <= 0) return;
  figures_.percent = std::floor(sound_before(figures_.position) / all * 1000) / 10;
}

}  // namespace server
