#pragma once

#include <string_view>
#include <vector>

#include "engine/media/ffmpeg.h"

namespace engine::media {

// Two channels of a layout that belong together, by their indexes.
struct ChannelPair {
  int left = 0;
  int right = 1;
  std::string_view place{};  // "front", "back", "side"; empty: of stereo, or unknown

  friend bool operator==(const ChannelPair&, const ChannelPair&) = default;
};

// Returns the pairs of a layout. If it does not say where its channels are, neighbors are pairs.
std::vector<ChannelPair> pairs_of(const AVChannelLayout& layout);

// Notices a pair whose right channel is the inverse of the left one, as of a balanced microphone
// in a stereo input or of a wrongly wired cable: their mix is silent.
//
// The first audible frame decides. After that, 0.1 s of audible frames must say the opposite, so an
// inversion that begins later loses its first 0.1 s, and one that ends loses nothing. No frame is
// held back.
class Polarity {
 public:
  explicit Polarity(const ChannelPair& pair = {}) : pair_(pair) {}

  // Returns whether this frame's channels cancel each other. Frames have both channels and are
  // given in their order, each once.
  bool is_inverted(const AVFrame& frame);

  const ChannelPair& pair() const { return pair_; }
  // Returns how long the audible audio was inverted.
  double inverted_seconds() const { return inverted_s_; }

 private:
  ChannelPair pair_;
  bool is_inverted_ = false;
  bool began_ = false;     // a frame was audible
  double contrary_s_ = 0;  // of audible frames in a row that say the opposite
  double inverted_s_ = 0;
};

// Watches all pairs of channels of a recording, whose layout may change on the way.
class Polarities {
 public:
  // Returns the pairs of the frame whose channels cancel each other.
  std::vector<ChannelPair> inverted(const AVFrame& frame);

  // Returns all pairs that there were.
  const std::vector<Polarity>& all() const { return all_; }

 private:
  Polarity& of(const ChannelPair& pair);

  std::vector<Polarity> all_;
};

}  // namespace engine::media
