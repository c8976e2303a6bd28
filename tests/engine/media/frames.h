#pragma once

#include <new>

#include "engine/media/ffmpeg.h"

namespace media_test {

// Returns an empty frame of two channels.
inline engine::media::Frame stereo_frame(AVSampleFormat format, int rate_hz, int samples) {
  engine::media::Frame frame(av_frame_alloc());
  if (!frame) throw std::bad_alloc();
  frame->format = format;
  frame->nb_samples = samples;
  frame->sample_rate = rate_hz;
  av_channel_layout_default(&frame->ch_layout, 2);
  if (av_frame_get_buffer(frame.get(), 0) < 0) throw std::bad_alloc();
  return frame;
}

// Sets one sample of each channel, in the format of the frame.
template <class Sample>
void set_samples(AVFrame& frame, int place, Sample left, Sample right) {
  const bool planar = av_sample_fmt_is_planar(static_cast<AVSampleFormat>(frame.format)) != 0;
  auto* first = reinterpret_cast<Sample*>(frame.extended_data[0]);
  auto* second = planar ? reinterpret_cast<Sample*>(frame.extended_data[1]) : first + 1;
  first[planar ? place : 2 * place] = left;
  second[planar ? place : 2 * place] = right;
}

}  // namespace media_test
