#include "engine/whisper/transcriber/live_period.h"

#include <algorithm>
#include <numeric>

namespace engine {

void LivePeriod::add(double pass_s) {
  passes_[count_++ % passes_.size()] = pass_s;
}

double LivePeriod::seconds() const {
  const std::size_t n = std::min(count_, passes_.size());
  if (n == 0) return least_s_;
  const double sum = std::accumulate(passes_.begin(), passes_.begin() + n, 0.0);
  return std::max(least_s_, 1.25 * sum / static_cast<double>(n));
}

}  // namespace engine
