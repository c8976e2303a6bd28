#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "engine/speakers/evidence.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Networks that read the sound itself: a sample of 0.1 is the voice of the first speaker, 0.2 that
// of the second, 0.4 that of the third, 0.3 the first two at once, and 0 silence.
class FakeNetworks : public SpeakerNetworks {
 public:
  std::vector<Voices> segment(std::span<const float> windows) const override {
    std::vector<Voices> voices;
    for (std::size_t begin = 0; begin < windows.size(); begin += speaker_window) {
      for (std::size_t frame = 0; frame < frames_per_window; ++frame) {
        const float sample = windows[begin + frame * frame_step + frame_width / 2];
        voices.push_back(static_cast<Voices>(std::lround(sample * 10)));
      }
    }
    return voices;
  }
  std::vector<float> embed(std::span<const float> pieces) const override {
    std::vector<float> embeddings;
    for (std::size_t begin = 0; begin < pieces.size(); begin += piece_samples) {
      const auto piece = pieces.subspan(begin, piece_samples);
      for (const float x : piece) samples_.push_back(x);
      const auto size = embeddings.size();
      embeddings.resize(size + embedding_size);
      embeddings[size + static_cast<std::size_t>(std::lround(piece[piece.size() / 2] * 10))] = 1;
    }
    return embeddings;
  }
  mutable std::vector<float> samples_;  // of all pieces
};

using Speech = std::vector<std::pair<double, float>>;  // seconds, and the sample

inline std::vector<float> sound(const Speech& speech) {
  std::vector<float> pcm;
  for (const auto& [seconds, sample] : speech) {
    pcm.insert(pcm.end(), static_cast<std::size_t>(seconds * sample_rate_hz), sample);
  }
  return pcm;
}

}  // namespace engine
