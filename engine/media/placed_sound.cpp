#include "engine/media/placed_sound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <new>

#include "engine/media/frame_levels.h"
#include "engine/media/silent_tracks.h"

namespace engine::media {
namespace {

// A shorter hole is filled in front of the resampler, which goes on: making a new one costs as much
// as many packets, and a recording may have a hole in front of each.
constexpr double short_hole_s = 1;
constexpr int silent_frame_samples = 4096;

// No honest recording drops so much, nor twice as much as it keeps.
constexpr double most_dropped_s = 600;
constexpr double most_dropped_to_written = 2;
constexpr double least_of_frame_s = 0.02;  // decoding a shorter frame costs as much

bool is_planar(const AVFrame& frame) {
  return av_sample_fmt_is_planar(static_cast<AVSampleFormat>(frame.format)) != 0;
}

Frame silent_frame(const AVFrame& like) {
  Frame frame(av_frame_alloc());
  if (!frame) throw std::bad_alloc();
  frame->format = like.format;
  frame->sample_rate = like.sample_rate;
  frame->nb_samples = silent_frame_samples;
  if (av_channel_layout_copy(&frame->ch_layout, &like.ch_layout) < 0 ||
      av_frame_get_buffer(frame.get(), 0) < 0) {
    throw std::bad_alloc();
  }
  av_samples_set_silence(frame->extended_data, 0, silent_frame_samples, like.ch_layout.nb_channels,
                         static_cast<AVSampleFormat>(like.format));
  return frame;
}

// Returns the frame without its first samples, which it shares.
Frame without_front(const AVFrame& frame, int samples) {
  Frame rest(av_frame_clone(&frame));
  if (!rest) throw std::bad_alloc();
  const int channels = frame.ch_layout.nb_channels;
  const int width = av_get_bytes_per_sample(static_cast<AVSampleFormat>(frame.format));
  const int bytes = samples * width * (is_planar(frame) ? 1 : channels);
  for (int plane = 0; plane < (is_planar(frame) ? channels : 1); ++plane) {
    rest->extended_data[plane] += bytes;
  }
  rest->nb_samples -= samples;
  return rest;
}

}  // namespace

Result<void> PlacedSound::take(const AVFrame& frame, std::optional<double> begin_s) {
  if (begin_s) {
    if (const auto moved = move_to(*begin_s, frame); !moved) return moved;
  }
  const int dropped = count_dropped(frame);
  if (dropped == 0) return convert(frame);
  if (dropped == frame.nb_samples) return {};
  return convert(*without_front(frame, dropped));
}

Result<void> PlacedSound::convert(const AVFrame& frame) {
  is_audible_ = is_audible_ || peak(frame) > silent_peak;
  const auto converted = resampler_.convert(frame);
  if (!converted) return converted.error();
  if (const auto copied = copy_.take(frame, *converted); !copied) return copied;
  return writer_.write(*converted);
}

Result<void> PlacedSound::finish() {
  const auto rest = resampler_.finish();
  if (!rest) return rest.error();
  if (const auto copied = copy_.finish(*rest); !copied) return copied;
  return writer_.write(*rest);
}

bool PlacedSound::stands_still() const {
  return dropped_s_ > std::max(most_dropped_s, most_dropped_to_written * writer_.seconds());
}

Result<void> PlacedSound::move_to(double begin_s, const AVFrame& frame) {
  to_drop_s_ = 0;
  const double held_s = resampler_.held_seconds();
  const double hole_s = begin_s - writer_.seconds() - held_s;
  if (hole_s <= 0) {
    to_drop_s_ = -hole_s;
    return {};
  }
  if (held_s > 0) {
    if (hole_s < short_hole_s && resampler_.fits(frame)) return fill(hole_s, frame);
    if (const auto finished = finish(); !finished) return finished;
  }
  return write_silence(std::llround(begin_s * output_rate_hz) - writer_.samples());
}

// Fills a hole in front of the resampler.
Result<void> PlacedSound::fill(double hole_s, const AVFrame& like) {
  const Frame silence = silent_frame(like);
  for (auto left = std::llround(hole_s * like.sample_rate); left > 0;) {
    silence->nb_samples = static_cast<int>(std::min<long long>(left, silent_frame_samples));
    if (const auto done = convert(*silence); !done) return done;
    left -= silence->nb_samples;
  }
  return {};
}

// Fills a hole behind the resampler, which holds nothing.
Result<void> PlacedSound::write_silence(std::int64_t samples) {
  copy_.add_silence(samples);
  static constexpr std::array<float, output_rate_hz / 2> silence{};
  while (samples > 0 && !writer_.reader_gone()) {
    const auto some = std::min<std::int64_t>(samples, std::ssize(silence));
    const auto part = std::span(silence).first(static_cast<std::size_t>(some));
    if (const auto written = writer_.write(part); !written) return written;
    samples -= some;
  }
  return {};
}

// Returns how many samples of the frame's front overlap with what there is already.
int PlacedSound::count_dropped(const AVFrame& frame) {
  if (to_drop_s_ <= 0 || frame.sample_rate <= 0) return 0;
  const double rate_hz = frame.sample_rate;
  const auto dropped =
      static_cast<int>(std::min<long long>(std::llround(to_drop_s_ * rate_hz), frame.nb_samples));
  const bool is_whole = dropped == frame.nb_samples;
  const double dropped_s = dropped / rate_hz;
  to_drop_s_ = is_whole ? to_drop_s_ - dropped_s : 0;
  dropped_s_ += is_whole ? std::max(dropped_s, least_of_frame_s) : dropped_s;
  return dropped;
}

}  // namespace engine::media
