#include "server/metrics/worker_speed.h"

#include <algorithm>
#include <cmath>

namespace server {

namespace {
constexpr double memory_s = 600;  // of work; what is older counts less and less
}

// Work up to the last end was counted with it; where a long job ends after short ones, the time
// before these is left out, so that the speed comes out a little high at first.
void WorkerSpeed::add(double end, double work_s, double sound_s) {
  const double busy_s = std::max(0.0, end - std::max(end - work_s, last_end_));
  last_end_ = std::max(last_end_, end);
  const double kept = std::exp(-busy_s / memory_s);
  busy_s_ = busy_s_ * kept + busy_s;
  sound_s_ = sound_s_ * kept + sound_s;
}

}  // namespace server
