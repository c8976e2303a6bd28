#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/audio/pcm_sink.h"
#include "engine/vad/silero_vad.h"

namespace engine {

// Finds out how likely there is speech in each chunk of 512 samples, of a whole recording or up to
// where enough speech was heard.
class SpeechListener : public PcmSink {
 public:
  static constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();

  //   enough: samples of speech after which it listens no more
  explicit SpeechListener(std::shared_ptr<const SileroWeights> weights, std::int64_t enough = whole)
      : vad_(std::move(weights)), enough_(enough) {}

  Result<void> push(std::span<const float> pcm) override;
  Result<void> finish() override;

  bool has_heard_enough() const { return speech_ >= enough_; }
  // The probabilities take 450 kB an hour, and are complete once the listener has finished.
  const std::vector<float>& probabilities() const { return probabilities_; }

 private:
  SileroVad vad_;
  std::int64_t enough_;
  std::int64_t speech_ = 0;  // samples of chunks that are likely speech
  std::size_t counted_ = 0;  // chunks of probabilities_ that speech_ counts
  std::vector<float> probabilities_;
};

}  // namespace engine
