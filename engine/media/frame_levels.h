#pragma once

#include "engine/media/ffmpeg.h"

// How loud decoded frames are; 1 is full scale. Formats that FFmpeg does not decode to have 0.
namespace engine::media {

// Returns the highest absolute value of the samples of all channels.
double peak(const AVFrame& frame);

// The mean power of half the sum and half the difference of two channels.
struct StereoPower {
  double mid = 0;
  double side = 0;
};

// Measures every fourth sample of two channels of a frame.
StereoPower stereo_power(const AVFrame& frame, int left = 0, int right = 1);

}  // namespace engine::media
