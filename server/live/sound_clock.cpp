#include "server/live/sound_clock.h"

#include <algorithm>

namespace server {

void SoundClock::came(double end_s, Time now) {
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
