#include "engine/vad/speech_listener.h"

#include <algorithm>

#include "engine/vad/speech_segments.h"

namespace engine {
namespace {

// The network takes pieces of 8192 samples and more at the least cost, and a short piece tells soon
// that enough was heard.
constexpr std::size_t piece_samples = 16'384;

}  // namespace

Result<void> SpeechListener::push(std::span<const float> pcm) {
  while (!pcm.empty() && !has_heard_enough()) {
    const auto piece = pcm.first(std::min(pcm.size(), piece_samples));
    vad_.push(piece, probabilities_);
    pcm = pcm.subspan(piece.size());
    for (; counted_ < probabilities_.size(); ++counted_) {
      const bool is_speech = probabilities_[counted_] >= SpeechOptions().threshold;
      if (is_speech) speech_ += SileroVad::chunk_samples;
    }
  }
  return {};
}

Result<void> SpeechListener::finish() {
  if (!has_heard_enough()) vad_.finish(probabilities_);
  return {};
}

}  // namespace engine
