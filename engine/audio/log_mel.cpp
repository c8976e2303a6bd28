#include "engine/audio/log_mel.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "engine/audio/mel_filters.h"

namespace engine {
namespace {

constexpr int kFftLength = 400;
constexpr int kReflected = kFftLength / 2;  // samples of reflection before the first one
constexpr int kBlockFrames = 500;
constexpr size_t kBlockSamples = (kBlockFrames - 1) * kHopLength + kFftLength;
constexpr size_t kBlockHop = kBlockFrames * kHopLength;

}  // namespace

LogMel::LogMel(int n_mels)
    : filters_(mel_filters(n_mels)), window_(at::hann_window(kFftLength, at::kFloat)) {}

at::Tensor LogMel::push(std::span<const float> pcm) {
  pending_.insert(pending_.end(), pcm.begin(), pcm.end());
  samples_ += static_cast<std::int64_t>(pcm.size());
  if (!begun_ && pending_.size() > kReflected) begin_with_reflection();
  return take_blocks();
}

at::Tensor LogMel::finish() {
  if (!begun_) {
    pending_.resize(kReflected + 1);
    begin_with_reflection();
  }
  // A frame hears the 200 samples on each side of its centre.
  const std::int64_t heard = (samples_ + kReflected + kHopLength - 1) / kHopLength;
  const std::int64_t left = heard - frames_;
  const auto blocks = static_cast<size_t>((left + kBlockFrames - 1) / kBlockFrames);
  if (blocks > 0) pending_.resize((blocks - 1) * kBlockHop + kBlockSamples);
  return take_blocks().narrow(0, 0, left);
}

// Puts samples 200 … 1 before the first.
void LogMel::begin_with_reflection() {
  const std::vector<float> head(pending_.begin() + 1, pending_.begin() + 1 + kReflected);
  pending_.insert(pending_.begin(), head.rbegin(), head.rend());
  begun_ = true;
}

at::Tensor LogMel::take_blocks() {
  const c10::InferenceMode guard;
  std::vector<at::Tensor> blocks;
  size_t begin = 0;
  while (begun_ && begin + kBlockSamples <= pending_.size()) {
    blocks.push_back(block(pending_.data() + begin));
    begin += kBlockHop;
  }
  if (blocks.empty()) return at::empty({0, filters_.size(0)}, at::kFloat);
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(begin));
  frames_ += static_cast<std::int64_t>(blocks.size()) * kBlockFrames;
  return blocks.size() == 1 ? blocks.front() : at::cat(blocks);
}

//   samples  [kBlockSamples]
//   returns  [kBlockFrames, n_mels]
at::Tensor LogMel::block(const float* samples) const {
  const at::Tensor signal = at::from_blob(const_cast<float*>(samples), {kBlockSamples}, at::kFloat);
  const at::Tensor frames = signal.as_strided({kBlockFrames, kFftLength}, {kHopLength, 1});
  const at::Tensor power = at::fft_rfft(frames * window_).abs().pow(2);
  const at::Tensor mel = at::matmul(filters_, power.t());
  return mel.clamp_min(1e-10).log10().t().contiguous();
}

}  // namespace engine
