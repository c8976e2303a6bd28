#include "engine/media/polarity.h"

#include <algorithm>

#include "engine/media/frame_levels.h"

namespace engine::media {
namespace {

constexpr double audible_power = 1e-6;  // -60 dB
constexpr double left_of_mix = 0.01;    // mid to side: what mixing makes 20 dB quieter
constexpr double believed_s = 0.1;

struct NamedPair {
  AVChannel left;
  AVChannel right;
  const char* place;
};

constexpr NamedPair named_pairs[] = {
    {AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT, "front"},
    {AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT, "back"},
    {AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT, "side"},
    {AV_CHAN_FRONT_LEFT_OF_CENTER, AV_CHAN_FRONT_RIGHT_OF_CENTER, "front center"},
};

}  // namespace

std::vector<ChannelPair> pairs_of(const AVChannelLayout& layout) {
  const int channels = layout.nb_channels;
  if (channels == 2) return {ChannelPair{}};
  std::vector<ChannelPair> pairs;
  if (layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    for (int left = 0; left + 1 < channels; left += 2) pairs.push_back({left, left + 1});
    return pairs;
  }
  for (const NamedPair& pair : named_pairs) {
    const int left = av_channel_layout_index_from_channel(&layout, pair.left);
    const int right = av_channel_layout_index_from_channel(&layout, pair.right);
    if (left >= 0 && right >= 0) pairs.push_back({left, right, pair.place});
  }
  return pairs;
}

bool Polarity::is_inverted(const AVFrame& frame) {
  const auto power = stereo_power(frame, pair_.left, pair_.right);
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

std::vector<ChannelPair> Polarities::inverted(const AVFrame& frame) {
  std::vector<ChannelPair> found;
  for (const ChannelPair& pair : pairs_of(frame.ch_layout)) {
    if (of(pair).is_inverted(frame)) found.push_back(pair);
  }
  return found;
}

Polarity& Polarities::of(const ChannelPair& pair) {
  const auto known = std::ranges::find(all_, pair, &Polarity::pair);
  return known == all_.end() ? all_.emplace_back(pair) : *known;
}

}  // namespace engine::media
