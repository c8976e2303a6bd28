#include "engine/media/resampler.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "engine/media/allow_lists.h"
#include "engine/media/pcm_writer.h"

namespace engine::media {
namespace {

// soxr's "very high quality". Its usual passband, up to 91 % of 8 kHz, stays: a wider one is
// further away from what Whisper was trained on, which came through FFmpeg's own resampler.
constexpr double precision_bits = 28;

void set(SwrContext* swr, const char* option, double value) {
  if (av_opt_set_double(swr, option, value, 0) < 0) {
    throw std::runtime_error(std::string("[resampler] no option ") + option);
  }
}

bool is_silent(double weight) {
  return std::abs(weight) < 1e-6;
}

// Sets the weights with which FFmpeg mixes this layout to mono. Returns false if it cannot, or if
// it would only guess where the channels are: all have the same weight then.
bool mix_to_mono(const AVChannelLayout& layout, std::vector<double>& weights) {
  AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
  const bool is_known = layout.order != AV_CHANNEL_ORDER_UNSPEC || layout.nb_channels == 2;
  if (!is_known) return false;
  AVChannelLayout from = layout;  // borrowed, as in configure()
  if (layout.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&from, layout.nb_channels);
  // FFmpeg writes more than the channels that there are, up to the matrix that swresample has.
  constexpr std::size_t row = 64;
  if (weights.size() > row) return false;
  std::vector<double> matrix(row * row);
  constexpr double level = std::numbers::sqrt2 / 2;
  const int made =
      swr_build_matrix2(&from, &mono, level, level, 0, 1.0, 1.0, matrix.data(),
                        static_cast<std::ptrdiff_t>(row), AV_MATRIX_ENCODING_NONE, nullptr);
  std::copy_n(matrix.begin(), weights.size(), weights.begin());
  return made >= 0;
}

Error bad_rate(int rate_hz) {
  return {Errc::nothing_decodable,
          "The audio track declares a sample rate of " + std::to_string(rate_hz) +
              " Hz, so the file is damaged.",
          "Rates from 1000 to 768000 Hz can be read; convert the file and try again."};
}

}  // namespace

bool Resampler::fits(const AVFrame& frame) const {
  return swr_ && frame.sample_rate == rate_hz_ && frame.format == format_ &&
         frame.ch_layout.nb_channels == channels_;
}

double Resampler::held_seconds() const {
  if (!swr_) return 0;
  const std::int64_t ticks = std::int64_t{rate_hz_} * output_rate_hz;
  return static_cast<double>(swr_get_delay(swr_.get(), ticks)) / static_cast<double>(ticks);
}

std::vector<double> Resampler::weights_of(const AVChannelLayout& layout) const {
  const int channels = layout.nb_channels;
  if (channels == 1) return {};
  std::vector<double> weights(static_cast<std::size_t>(channels));
  if (channel_ > 0) {
    weights[static_cast<std::size_t>(channel_ - 1)] = 1.0;
    return weights;
  }
  const bool is_mixed = mix_to_mono(layout, weights);
  if (is_mixed && inverted_.empty() && std::ranges::none_of(weights, is_silent)) return {};
  // FFmpeg leaves some channels out: the one for bass of 2.1 and 5.1, and those of layouts that it
  // does not know. In a recorder's file they are microphones like the others.
  const auto heard = std::ranges::max(weights);
  for (double& weight : weights) {
    if (is_silent(weight)) weight = is_mixed ? heard * std::numbers::sqrt2 / 2 : 1.0;
  }
  for (const ChannelPair& pair : inverted_) {
    weights[static_cast<std::size_t>(pair.left)] +=
        std::exchange(weights[static_cast<std::size_t>(pair.right)], 0);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

Result<void> Resampler::configure(const AVFrame& frame) {
  const int channels = frame.ch_layout.nb_channels;
  if (frame.sample_rate < min_sample_rate_hz || frame.sample_rate > max_sample_rate_hz) {
    return bad_rate(frame.sample_rate);
  }
  if (channel_ > channels) {
    return Error{Errc::channel_not_found,
                 "Channel " + std::to_string(channel_) +
                     " was asked for, but the audio track has " + std::to_string(channels) + ".",
                 "Name a channel from 1 to " + std::to_string(channels) + "."};
  }
  AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
  AVChannelLayout layout = frame.ch_layout;  // borrowed: the frame owns what it points to
  SwrContext* raw = nullptr;
  const int made =
      swr_alloc_set_opts2(&raw, &mono, AV_SAMPLE_FMT_FLT, output_rate_hz, &layout,
                          static_cast<AVSampleFormat>(frame.format), frame.sample_rate, 0, nullptr);
  swr_.reset(raw);
  if (made == AVERROR(ENOMEM)) throw std::bad_alloc();
  if (made < 0 || channels < 1) {
    return Error{Errc::nothing_decodable, "The audio track declares channels that cannot be.",
                 "Play it in another program; if that works, convert it to wav or flac."};
  }

  // Keeps the mix within full scale, as FFmpeg does by itself only for integer samples.
  set(raw, "rematrix_maxval", 1.0);
  if (resampling_ == Resampling::soxr && frame.sample_rate != output_rate_hz) {
    if (av_opt_set(raw, "resampler", "soxr", 0) < 0)
      throw std::runtime_error("[resampler] no soxr");
    set(raw, "precision", precision_bits);
  }
  const auto weights = weights_of(frame.ch_layout);
  if (!weights.empty() && swr_set_matrix(raw, weights.data(), channels) < 0) {
    throw std::bad_alloc();
  }
  if (swr_init(raw) < 0) {
    return Error{Errc::nothing_decodable,
                 "The audio track's " + std::to_string(channels) + " channels cannot be mixed.",
                 "Name one channel, or convert the file to mono."};
  }
  rate_hz_ = frame.sample_rate;
  format_ = frame.format;
  channels_ = channels;
  if (channel_ == 0 && channels > 1) mixed_channels_ = std::max(mixed_channels_, channels);
  return {};
}

Result<void> Resampler::run(const AVFrame* frame) {
  const int input = frame != nullptr ? frame->nb_samples : 0;
  for (bool more = true; more;) {
    const int room = std::max(swr_get_out_samples(swr_.get(), input), 1024);
    const std::size_t held = samples_.size();
    samples_.resize(held + static_cast<std::size_t>(room));
    auto* out = reinterpret_cast<std::uint8_t*>(samples_.data() + held);
    const std::uint8_t** in =
        frame != nullptr ? const_cast<const std::uint8_t**>(frame->extended_data) : nullptr;
    const int written = swr_convert(swr_.get(), &out, room, in, input);
    samples_.resize(held + static_cast<std::size_t>(std::max(written, 0)));
    if (written < 0) return Error{Errc::internal, "The audio could not be resampled.", ""};
    // While draining, soxr may hold more than one call returns.
    more = frame == nullptr && written > 0;
  }
  return {};
}

Result<std::span<const float>> Resampler::convert(const AVFrame& frame) {
  samples_.clear();
  const bool is_mixed = channel_ == 0 && frame.ch_layout.nb_channels > 1 && frame.sample_rate > 0;
  auto inverted = is_mixed ? polarities_.inverted(frame) : std::vector<ChannelPair>();
  if (!fits(frame) || inverted != inverted_) {
    if (swr_) {
      if (const auto drained = run(nullptr); !drained) return drained.error();
    }
    inverted_ = std::move(inverted);
    if (const auto configured = configure(frame); !configured) return configured.error();
  }
  if (const auto done = run(&frame); !done) return done.error();
  return std::span<const float>(samples_);
}

Result<std::span<const float>> Resampler::finish() {
  samples_.clear();
  if (swr_) {
    if (const auto drained = run(nullptr); !drained) return drained.error();
    swr_.reset();
  }
  return std::span<const float>(samples_);
}

}  // namespace engine::media
