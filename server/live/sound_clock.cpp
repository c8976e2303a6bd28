#include "server/live/sound_clock.h"

#include <algorithm>

namespace server {

double SoundClock::due_s(Time now) const {
  const double passed_s = std::chrono::duration<double>(now - due_.time).count();
  return came_s_ == 0 ? 0 : std::min(came_s_, due_.end_s + passed_s);
}

void SoundClock::came(double end_s, Time now) {
  due_ = {due_s(now), now};
  came_s_ = end_s;
  const std::size_t count = marks_.size();
  if (count >= 2 && end_s - marks_[count - 2].end_s < least_step_s) {
    marks_.back() = {end_s, now};
    return;
  }
  marks_.push_back({end_s, now});
  if (marks_.size() > most_marks) marks_.pop_front();
}

std::optional<double> SoundClock::age_s(double at_s, Time now) const {
  const auto mark = std::ranges::lower_bound(marks_, at_s, {}, &Mark::end_s);
  if (mark == marks_.end() || (mark == marks_.begin() && marks_.size() == most_marks)) {
    return std::nullopt;
  }
  return std::chrono::duration<double>(now - mark->time).count();
}

}  // namespace server
