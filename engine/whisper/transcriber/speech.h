#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/vad/speech_segments.h"
#include "engine/whisper/transcriber/clips.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Knows where in a recording there is speech, as Silero VAD hears it. Clips are in frames of 10 ms.
class Speech {
 public:
  //   probabilities  of each chunk of 512 samples, from SileroVad
  Speech(std::vector<float> probabilities, std::int64_t total_samples);

  bool any_in(const Clip& part) const;

  // Returns `part` cut into windows of 30 s at most, in order, which hold all its speech.
  std::vector<Clip> windows_of(const Clip& part) const;

  // Returns the speech in `part` that no segment covers: whole regions of half a second or more,
  // and parts of longer ones, with a little of what is around them.
  std::vector<Clip> unheard_in(const Clip& part, std::span<const Segment> segments) const;

 private:
  std::vector<SpeechRegion> regions_in(const Clip& part) const;

  std::vector<float> probabilities_;
  std::vector<SpeechRegion> regions_;
};

}  // namespace engine
