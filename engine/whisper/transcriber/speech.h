#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/vad/speech_segments.h"
#include "engine/whisper/transcriber/clips.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Knows where in a recording there is speech, as Silero VAD hears it. Clips are in frames of 10 ms.
// If the detector stopped before the end of the recording, the rest counts as speech.
class Speech {
 public:
  //   probabilities  of the first chunks of 512 samples, from SileroVad
  Speech(std::vector<float> probabilities, std::int64_t total_samples);

  // Returns the frame up to which the detector has listened, at least the recording's end where it
  // has heard all of it.
  std::int64_t heard() const { return heard_; }

  bool any_in(const Clip& part) const { return frames_in(part) > 0; }
  // Returns how many frames of the part are speech.
  std::int64_t frames_in(const Clip& part) const;
  // Returns the part from where its first speech begins to where its last ends; nothing where it
  // has none.
  std::optional<Clip> spoken_in(const Clip& part) const;

  // Returns where to go on in the part: at its beginning, or a little before the next speech where
  // that is a second or more away; at its end where there is none.
  std::int64_t next_window(const Clip& part) const;

  // Returns the frame from which on somebody speaks for half a second or more within 30 s: a click
  // long before counts for nothing. Where nobody does it is where most is said, and 0 in silence.
  std::int64_t first_spoken() const;

  // Returns `part` cut into windows of 30 s at most, in order, which hold all its speech.
  std::vector<Clip> windows_of(const Clip& part) const;

  // Returns the speech in `part` that no segment covers: whole regions of half a second or more,
  // and parts of longer ones, with a little of what is around them.
  std::vector<Clip> unheard_in(const Clip& part, std::span<const Segment> segments) const;

 private:
  std::vector<SpeechRegion> regions_in(const Clip& part) const;

  std::vector<float> probabilities_;
  std::vector<SpeechRegion> regions_;
  std::int64_t heard_;
};

// Lets a segment begin and end with its speech, where it is half a second or more longer.
void move_to_speech(Segment& segment, const Speech& speech);

}  // namespace engine
