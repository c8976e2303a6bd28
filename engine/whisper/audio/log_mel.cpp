#include "engine/whisper/audio/log_mel.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "engine/whisper/audio/mel_filters.h"

namespace engine {
namespace {

constexpr int reflected_samples = n_fft / 2;  // samples of reflection before the first one
constexpr int block_frames = 500;
constexpr size_t block_samples = (block_frames - 1) * hop_length + n_fft;
constexpr size_t block_hop = block_frames * hop_length;

}  // namespace

LogMel::LogMel(int n_mels)
    : filters_(mel_filters(n_mels)), window_(at::hann_window(n_fft, at::kFloat)) {}

at::Tensor LogMel::push(std::span<const float> pcm) {
  pending_.insert(pending_.end(), pcm.begin(), pcm.end());
  samples_ += static_cast<std::int64_t>(pcm.size());
  if (!begun_ && pending_.size() > reflected_samples) begin_with_reflection();
  return take_blocks();
}

at::Tensor LogMel::finish() {
  if (!begun_) {
    pending_.resize(reflected_samples + 1);
    begin_with_reflection();
  }
  // A frame hears the 200 samples on each side of its centre.
  const std::int64_t heard = (samples_ + reflected_samples + hop_length - 1) / hop_length;
  const std::int64_t left = heard - frames_;
  const auto blocks = static_cast<size_t>((left + block_frames - 1) / block_frames);
  if (blocks > 0) pending_.resize((blocks - 1) * block_hop + block_samples);
  return take_blocks().narrow(0, 0, left);
}

// Inserts samples 200 … 1 before the first.
void LogMel::begin_with_reflection() {
  const std::vector<float> head(pending_.begin() + 1, pending_.begin() + 1 + reflected_samples);
  pending_.insert(pending_.begin(), head.rbegin(), head.rend());
  begun_ = true;
}

at::Tensor LogMel::take_blocks() {
  const c10::InferenceMode guard;
  std::vector<at::Tensor> blocks;
  size_t begin = 0;
  while (begun_ && begin + block_samples <= pending_.size()) {
    blocks.push_back(block(pending_.data() + begin));
    begin += block_hop;
  }
  if (blocks.empty()) return at::empty({0, filters_.size(0)}, at::kFloat);
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(begin));
  frames_ += static_cast<std::int64_t>(blocks.size()) * block_frames;
  return blocks.size() == 1 ? blocks.front() : at::cat(blocks);
}

//   samples  [block_samples]
//   returns  [block_frames, n_mels]
at::Tensor LogMel::block(const float* samples) const {
  const at::Tensor signal = at::from_blob(const_cast<float*>(samples), {block_samples}, at::kFloat);
  const at::Tensor frames = signal.as_strided({block_frames, n_fft}, {hop_length, 1});
  const at::Tensor power = at::fft_rfft(frames * window_).abs().pow(2);
  const at::Tensor mel = at::matmul(filters_, power.t());
  return mel.clamp_min(1e-10).log10().t().contiguous();
}

}  // namespace engine
