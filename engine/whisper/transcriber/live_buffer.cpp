#include "engine/whisper/transcriber/live_buffer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/audio/encoder_input.h"

namespace engine {
namespace {

constexpr std::size_t most_samples = std::size_t{window_frames} * hop_length;

}  // namespace

void LiveBuffer::append(std::span<const float> samples) {
  samples_.insert(samples_.end(), samples.begin(), samples.end());
}

void LiveBuffer::cut(double time) {
  const auto frame = static_cast<std::int64_t>(std::floor(time * frames_per_second));
  const auto count = std::clamp<std::int64_t>(frame - first_frame_, 0, frames());
  samples_.erase(samples_.begin(), samples_.begin() + count * hop_length);
  first_frame_ += count;
}

LiveSpan LiveBuffer::span() const {
  const double begin = static_cast<double>(first_frame_) / frames_per_second;
  return {begin, begin + static_cast<double>(samples_.size()) / sample_rate_hz};
}

std::size_t LiveBuffer::room() const {
  return most_samples - std::min(most_samples, samples_.size());
}

at::Tensor LiveBuffer::encoder_input() {
  LogMel mel = mel_;
  const at::Tensor begin = mel.push(samples_);
  const at::Tensor all = at::cat({begin, mel.finish()});
  maximum_ = std::max(maximum_, all.max().item<float>());
  return engine::encoder_input(all.narrow(0, 0, mel.content_frames()), maximum_);
}

}  // namespace engine
