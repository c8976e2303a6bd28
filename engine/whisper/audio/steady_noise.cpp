#include "engine/whisper/audio/steady_noise.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace engine {
namespace {

constexpr std::size_t bands_of_group = 8, frames_of_step = 10, least_steps = 50;
// Powers of ten. Means of a group over two steps are at most 2.2 dB from that of white, pink and
// brown noise; at 5 dB below such noise speech changes them by 3.3 dB and more.
constexpr float most_change = 0.28F;

// Returns the means of each group of bands in each step of 0.1 s: [steps, groups].
std::vector<float> means_of_steps(std::span<const float> frames, std::size_t n_mels,
                                  std::size_t groups) {
  const std::size_t steps = frames.size() / n_mels / frames_of_step;
  std::vector<float> means(steps * groups);
  for (std::size_t frame = 0; frame < steps * frames_of_step; ++frame) {
    float* const step = &means[frame / frames_of_step * groups];
    for (std::size_t band = 0; band < groups * bands_of_group; ++band) {
      step[band / bands_of_group] += frames[frame * n_mels + band];
    }
  }
  for (float& mean : means) mean /= bands_of_group * frames_of_step;
  return means;
}

}  // namespace

int steady_noise(std::span<const float> frames, int n_mels) {
  const auto bands = static_cast<std::size_t>(n_mels);
  const std::size_t groups = bands / bands_of_group;
  const std::vector<float> means = means_of_steps(frames, bands, groups);
  const std::size_t steps = means.size() / groups;
  if (steps < least_steps) return 0;
  std::vector<float> usual(groups);
  for (std::size_t i = 0; i < least_steps * groups; ++i)
    usual[i % groups] += means[i] / least_steps;
  for (std::size_t i = groups; i < means.size(); ++i) {
    if (std::abs((means[i - groups] + means[i]) / 2 - usual[i % groups]) <= most_change) continue;
    const std::size_t steady = i / groups - 1;
    return steady < least_steps ? 0 : static_cast<int>(steady * frames_of_step);
  }
  return static_cast<int>(frames.size() / bands);
}

}  // namespace engine
