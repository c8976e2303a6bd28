#include "engine/whisper/transcriber/live_buffer.h"

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
  const std::int64_t sample =
      std::clamp<std::int64_t>(std::llrint(time * sample_rate_hz), begin_, end());
  samples_.erase(samples_.begin(), samples_.begin() + (sample - begin_));
  begin_ = sample;
}

LiveSpan LiveBuffer::span() const {
  return {static_cast<double>(begin_) / sample_rate_hz,
          static_cast<double>(end()) / sample_rate_hz};
}

std::size_t LiveBuffer::room() const {
  return most_samples - std::min(most_samples, samples_.size());
}

std::optional<MelWindow> LiveBuffer::encoder_input() {
  LogMel mel = mel_;
  MelFrames frames = mel.push(samples_);
  const MelFrames last = mel.finish();
  frames.values.insert(frames.values.end(), last.values.begin(), last.values.end());
  const float loudest = frames.loudest();
  if (loudest < inaudible_log_mel) return std::nullopt;
  maximum_ = std::max(maximum_, loudest);
  const auto content =
      static_cast<std::size_t>(mel.content_frames()) * static_cast<std::size_t>(frames.n_mels);
  MelWindow input =
      engine::encoder_input(std::span(frames.values).first(content), frames.n_mels, maximum_);
  input.frames = static_cast<int>(mel.content_frames());
  return input;
}

}  // namespace engine
