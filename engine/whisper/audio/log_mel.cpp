#include "engine/whisper/audio/log_mel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace engine {
namespace {

constexpr std::size_t reflected_samples = n_fft / 2;  // before the first sample
constexpr std::size_t lanes = kernels::PowerSpectra::lanes;

// Hann's window, which repeats itself after n_fft samples.
std::array<float, n_fft> hann_window() {
  std::array<float, n_fft> window{};
  for (std::size_t i = 0; i < window.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / n_fft;
    window[i] = static_cast<float>(0.5 - 0.5 * std::cos(angle));
  }
  return window;
}

}  // namespace

LogMel::LogMel(int n_mels)
    : n_mels_(n_mels),
      filters_(mel_filters(n_mels)),
      window_(hann_window()),
      bands_(static_cast<std::size_t>(n_mels)) {}

MelFrames LogMel::push(std::span<const float> pcm) {
  pending_.insert(pending_.end(), pcm.begin(), pcm.end());
  samples_ += static_cast<std::int64_t>(pcm.size());
  if (!begun_ && pending_.size() > reflected_samples) begin_with_reflection();
  return take_frames();
}

MelFrames LogMel::finish() {
  if (!begun_) {
    pending_.resize(reflected_samples + 1);
    begin_with_reflection();
  }
  // A frame hears the 200 samples on each side of its centre.
  const std::int64_t heard =
      (samples_ + static_cast<std::int64_t>(reflected_samples) + hop_length - 1) / hop_length;
  const auto left = static_cast<std::size_t>(heard - frames_);
  pending_.resize(left == 0 ? 0 : (left - 1) * hop_length + n_fft);
  return take_frames();
}

// Inserts samples 200 … 1 before the first.
void LogMel::begin_with_reflection() {
  const std::vector<float> head(pending_.begin() + 1, pending_.begin() + 1 + reflected_samples);
  pending_.insert(pending_.begin(), head.rbegin(), head.rend());
  begun_ = true;
}

MelFrames LogMel::take_frames() {
  MelFrames frames{n_mels_};
  if (!begun_ || pending_.size() < n_fft) return frames;
  const std::size_t count = (pending_.size() - n_fft) / hop_length + 1;
  for (std::size_t first = 0; first < count; first += lanes) {
    add_frames(std::span(pending_).subspan(first * hop_length), std::min(lanes, count - first),
               frames.values);
  }
  pending_.erase(pending_.begin(),
                 pending_.begin() + static_cast<std::ptrdiff_t>(count * hop_length));
  frames_ += static_cast<std::int64_t>(count);
  return frames;
}

//   samples  begin with those of the first frame
//   count    of frames, at most `lanes`
void LogMel::add_frames(std::span<const float> samples, std::size_t count,
                        std::vector<float>& values) {
  std::array<Spectra::Lanes, n_fft> frames{};
  for (std::size_t frame = 0; frame < count; ++frame) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      frames[i][frame] = samples[frame * hop_length + i] * window_[i];
    }
  }
  const auto power = spectra_(frames);
  for (std::size_t band = 0; band < bands_.size(); ++band) {
    const MelFilter& filter = filters_[band];
    Spectra::Lanes sum{};
    for (std::size_t i = 0; i < filter.weights.size(); ++i) {
      const Spectra::Lanes& bin = power[static_cast<std::size_t>(filter.first_bin) + i];
      for (std::size_t frame = 0; frame < lanes; ++frame) {
        sum[frame] += filter.weights[i] * bin[frame];
      }
    }
    bands_[band] = sum;
  }
  add_bands(count, values);
}

void LogMel::add_bands(std::size_t count, std::vector<float>& values) {
  for (std::size_t frame = 0; frame < count; ++frame) {
    for (const Spectra::Lanes& band : bands_) {
      values.push_back(std::log10(std::max(band[frame], 1e-10F)));
    }
  }
}

}  // namespace engine
