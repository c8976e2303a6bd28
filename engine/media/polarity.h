#pragma once

#include "engine/media/ffmpeg.h"

namespace engine::media {

// Notices stereo whose right channel is the inverse of the left one, as of a balanced microphone
// in a stereo input or of a wrongly wired cable: their mix is silent.
//
// The first audible frame decides. After that, 0.1 s of audible frames must say the opposite, so an
// inversion that begins later loses its first 0.1 s, and one that ends loses nothing. No frame is
// held back.
class Polarity {
 public:
  // Returns whether this frame's channels cancel each other. Frames have two channels and are given
  // in their order, each once.
  bool is_inverted(const AVFrame& frame);

  // Returns how long the audible audio was inverted.
  double inverted_seconds() const { return inverted_s_; }

 private:
  bool is_inverted_ = false;
  bool began_ = false;     // a frame was audible
  double contrary_s_ = 0;  // of audible frames in a row that say the opposite
  double inverted_s_ = 0;
};

}  // namespace engine::media
