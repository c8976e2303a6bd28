#include "engine/media/frame_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace engine::media {
namespace {

constexpr int measured_every = 4;  // samples

template <class Sample>
double level_of(Sample sample) {
  if constexpr (std::is_floating_point_v<Sample>) {
    return static_cast<double>(sample);
  } else if constexpr (std::is_same_v<Sample, std::uint8_t>) {
    return (static_cast<double>(sample) - 128) / 128;
  } else {
    return static_cast<double>(sample) / -static_cast<double>(std::numeric_limits<Sample>::min());
  }
}

// The samples of one channel of a frame.
template <class Sample>
class Channel {
 public:
  Channel(const AVFrame& frame, int channel) {
    const bool is_planar = av_sample_fmt_is_planar(static_cast<AVSampleFormat>(frame.format)) != 0;
    const auto* plane =
        reinterpret_cast<const Sample*>(frame.extended_data[is_planar ? channel : 0]);
    first_ = is_planar ? plane : plane + channel;
    stride_ = is_planar ? 1 : frame.ch_layout.nb_channels;
  }
  double operator[](int i) const {
    return level_of(first_[static_cast<std::ptrdiff_t>(i) * stride_]);
  }

 private:
  const Sample* first_;
  std::ptrdiff_t stride_;
};

// Calls use.operator()<Sample>() with the type of the frame's samples.
template <class Use>
void with_sample_type(const AVFrame& frame, Use use) {
  switch (av_get_packed_sample_fmt(static_cast<AVSampleFormat>(frame.format))) {
    case AV_SAMPLE_FMT_U8:
      return use.template operator()<std::uint8_t>();
    case AV_SAMPLE_FMT_S16:
      return use.template operator()<std::int16_t>();
    case AV_SAMPLE_FMT_S32:
      return use.template operator()<std::int32_t>();
    case AV_SAMPLE_FMT_S64:
      return use.template operator()<std::int64_t>();
    case AV_SAMPLE_FMT_FLT:
      return use.template operator()<float>();
    case AV_SAMPLE_FMT_DBL:
      return use.template operator()<double>();
    default:
      return;
  }
}

}  // namespace

double peak(const AVFrame& frame) {
  double highest = 0;
  with_sample_type(frame, [&]<class Sample>() {
    for (int c = 0; c < frame.ch_layout.nb_channels; ++c) {
      const Channel<Sample> channel(frame, c);
      for (int i = 0; i < frame.nb_samples; ++i) highest = std::max(highest, std::abs(channel[i]));
    }
  });
  return highest;
}

StereoPower stereo_power(const AVFrame& frame, int left_channel, int right_channel) {
  StereoPower power;
  with_sample_type(frame, [&]<class Sample>() {
    const Channel<Sample> left(frame, left_channel);
    const Channel<Sample> right(frame, right_channel);
    for (int i = 0; i < frame.nb_samples; i += measured_every) {
      const double mid = (left[i] + right[i]) / 2;
      const double side = (left[i] - right[i]) / 2;
      power.mid += mid * mid;
      power.side += side * side;
    }
  });
  const double measured = std::ceil(static_cast<double>(frame.nb_samples) / measured_every);
  if (measured > 0) power = {power.mid / measured, power.side / measured};
  return power;
}

}  // namespace engine::media
