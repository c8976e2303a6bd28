#include "engine/vad/window_plan.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "engine/audio/sample_rate.h"
#include "engine/vad/silero_vad.h"

namespace engine {
namespace {

std::int64_t samples(double seconds) {
  return static_cast<std::int64_t>(seconds * sample_rate_hz);
}

// Returns the middle of the chunk with the lowest probability, the last of several, among those
// whose middle is in (from, to]; `to` where there are none.
std::int64_t least_likely(std::span<const float> probabilities, std::int64_t from,
                          std::int64_t to) {
  constexpr std::int64_t middle = SileroVad::chunk_samples / 2;
  const auto count = static_cast<std::int64_t>(probabilities.size());
  std::int64_t cut = to;
  float lowest = 2;
  for (std::int64_t chunk = (from + middle) / SileroVad::chunk_samples;
       chunk < count && chunk * SileroVad::chunk_samples + middle <= to; ++chunk) {
    const float probability = probabilities[static_cast<std::size_t>(chunk)];
    if (probability > lowest) continue;
    lowest = probability;
    cut = chunk * SileroVad::chunk_samples + middle;
  }
  return cut;
}

class Planner {
 public:
  Planner(std::span<const SpeechRegion> regions, std::span<const float> probabilities,
          std::int64_t total_samples, const WindowPlanOptions& options)
      : regions_(regions),
        probabilities_(probabilities),
        total_(total_samples),
        margin_(samples(options.margin_s)),
        max_speech_(samples(options.max_window_s) - 2 * margin_) {
    if (margin_ < 0 || max_speech_ < 3 * SileroVad::chunk_samples) {
      throw std::invalid_argument("[vad] a window must have room for more than its margins");
    }
  }

  std::vector<PlannedWindow> plan() {
    std::vector<PlannedWindow> windows;
    while (next_ < regions_.size()) {
      const std::int64_t begin = speech_begin() - std::min(margin_, silence_before());
      windows.push_back({begin, take_speech()});
    }
    return windows;
  }

 private:
  std::int64_t speech_begin() const { return std::max(regions_[next_].begin, cut_); }

  // Returns the silence before the window. Of the silence between two regions each may use one half
  // as its margin.
  std::int64_t silence_before() const {
    if (cut_ > regions_[next_].begin) return 0;
    return next_ == 0 ? regions_[0].begin : silence_after(next_ - 1) / 2;
  }

  std::int64_t silence_after(std::size_t region) const {
    return regions_[region + 1].begin - regions_[region].end;
  }

  // Moves on past the speech of the next window, and returns where that window ends.
  std::int64_t take_speech() {
    const std::int64_t limit = speech_begin() + max_speech_;
    if (regions_[next_].end > limit) {
      cut_ = least_likely(probabilities_, limit - max_speech_ / 3, limit);
      return cut_;
    }
    const std::int64_t near_end = limit - max_speech_ / 4;
    std::size_t last = next_;  // the region after which to cut
    for (std::size_t i = next_ + 1; i < regions_.size() && regions_[i].end <= limit; ++i) {
      if (i + 1 == regions_.size() || regions_[last].end <= near_end ||
          silence_after(i) >= silence_after(last)) {
        last = i;
      }
    }
    next_ = last + 1;
    const std::int64_t silence =
        next_ == regions_.size() ? total_ - regions_[last].end : silence_after(last) / 2;
    return regions_[last].end + std::min(margin_, silence);
  }

  std::span<const SpeechRegion> regions_;
  std::span<const float> probabilities_;
  std::int64_t total_;
  std::int64_t margin_;
  std::int64_t max_speech_;
  std::size_t next_ = 0;  // the index of the next region
  std::int64_t cut_ = 0;  // where that region was cut, if it was
};

}  // namespace

std::vector<PlannedWindow> plan_windows(std::span<const SpeechRegion> regions,
                                        std::span<const float> probabilities,
                                        std::int64_t total_samples,
                                        const WindowPlanOptions& options) {
  return Planner(regions, probabilities, total_samples, options).plan();
}

}  // namespace engine
