#pragma once

#include <span>
#include <vector>

#include "engine/media/error.h"
#include "engine/media/ffmpeg.h"
#include "engine/media/polarity.h"

namespace engine::media {

enum class Resampling {
  soxr,  // the best quality
  swr,   // FFmpeg's own, for comparison with programs that load sound through the ffmpeg command
};

// Converts decoded frames to 16 kHz mono floats. Channels are mixed as `ffmpeg -ac 1` mixes them,
// but none is left out, and of a pair whose channels cancel each other (see Polarity) the left one
// is taken; only the rate conversion is chosen. 16 kHz mono passes unchanged (s16 is exactly
// sample / 32768). A recording may change its rate or channels on the way.
class Resampler {
 public:
  // `channel` counts from 1 and selects that channel alone; 0 mixes all.
  Resampler(int channel, Resampling resampling) : channel_(channel), resampling_(resampling) {}

  // Both return samples that are valid until the next call. finish() returns what the filter still
  // holds; more may be converted after it, as if it began anew.
  Result<std::span<const float>> convert(const AVFrame& frame);
  Result<std::span<const float>> finish();

  // Returns the length of what finish() would return.
  double held_seconds() const;
  // Returns whether the frame is like the one before it, so that the filter goes on with it.
  bool fits(const AVFrame& frame) const;

  // Returns the pairs of channels that there were, with how long the left one was taken alone.
  const std::vector<Polarity>& pairs() const { return polarities_.all(); }

  // Returns the largest number of channels that were mixed; 0 if none were.
  int mixed_channels() const { return mixed_channels_; }

 private:
  // Returns the weight of each channel in the output; empty: as FFmpeg mixes this layout.
  std::vector<double> weights_of(const AVChannelLayout& layout) const;
  Result<void> configure(const AVFrame& frame);
  Result<void> run(const AVFrame* frame);

  int channel_;
  Resampling resampling_;
  Polarities polarities_{};
  std::vector<ChannelPair> inverted_;  // of the frame before
  int mixed_channels_ = 0;
  Swr swr_;
  int rate_hz_ = 0;
  int channels_ = 0;
  int format_ = AV_SAMPLE_FMT_NONE;
  std::vector<float> samples_;
};

}  // namespace engine::media
