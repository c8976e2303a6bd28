#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/speakers/evidence.h"
#include "engine/speakers/speaker_networks.h"
#include "engine/vad/silero_vad.h"

namespace engine {

// Listens to a recording with both networks, in one pass and with half a minute of sound in memory.
// Windows and pieces go through them in batches at fixed places, however the samples arrive, so
// that the evidence of a recording is always the same. It is used on one thread.
class SpeakerAnalysis {
 public:
  // `vad` listens, too, unless it is null.
  explicit SpeakerAnalysis(std::shared_ptr<const SpeakerNetworks> networks,
                           std::shared_ptr<const SileroWeights> vad = nullptr)
      : networks_(std::move(networks)) {
    if (vad) vad_.emplace(std::move(vad));
  }

  //   pcm  mono samples in [-1, 1] at 16 kHz, in pieces of any size
  void push(std::span<const float> pcm);

  // Ends the recording; nothing is pushed any more.
  void finish();

  // The evidence is complete once the recording has ended.
  const SpeakerEvidence& evidence() const { return evidence_; }

 private:
  std::int64_t next_window() const;
  void hear_windows(int count);
  void cut_pieces(std::int64_t final_frames);
  void take_piece(const Piece& piece);
  void embed_pieces();
  void forget_sound();

  std::shared_ptr<const SpeakerNetworks> networks_;
  std::optional<SileroVad> vad_{};
  SpeakerEvidence evidence_;
  PieceCutter cutter_;
  std::vector<float> sound_;      // from sound_begin_ on
  std::int64_t sound_begin_ = 0;  // its first sample
  std::vector<float> waiting_{};  // sound of pieces that have no embedding yet
};

}  // namespace engine
