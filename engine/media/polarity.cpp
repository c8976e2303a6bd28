#include "engine/media/polarity.h"

#include "engine/media/frame_levels.h"

namespace engine::media {
namespace {

constexpr double audible_power = 1e-6;  // -60 dB
constexpr double left_of_mix = 0.01;    // mid to side: what mixing makes 20 dB quieter
constexpr double believed_s = 0.1;

}  // namespace

bool Polarity::is_inverted(const AVFrame& frame) {
  const auto power = stereo_power(frame);
  if (power.mid + power.side < audible_power) return is_inverted_;
  const double seconds = static_cast<double>(frame.nb_samples) / frame.sample_rate;
  const bool now = power.mid < left_of_mix * power.side;
  contrary_s_ = now == is_inverted_ ? 0 : contrary_s_ + seconds;
  if (contrary_s_ >= believed_s || !began_) {
    is_inverted_ = now;
    contrary_s_ = 0;
  }
  began_ = true;
  if (is_inverted_) inverted_s_ += seconds;
  return is_inverted_;
}

}  // namespace engine::media
