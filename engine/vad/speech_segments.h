#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/error.h"

namespace engine {

// Speech in the samples [begin, end) of a recording at 16 kHz.
struct SpeechRegion {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t length() const { return end - begin; }
  bool operator==(const SpeechRegion&) const = default;
};

// The names and defaults are Silero's.
struct SpeechOptions {
  double threshold = 0.5;               // speech begins at this probability
  std::optional<double> neg_threshold;  // and ends below this; threshold - 0.15, at least 0.01
  int min_speech_duration_ms = 250;     // shorter or equal regions are dropped
  double max_speech_duration_s = std::numeric_limits<double>::infinity();
  int min_silence_duration_ms = 100;   // a shorter silence ends no region
  int speech_pad_ms = 30;              // added at both ends
  int min_silence_at_max_speech = 98;  // ms; a too long region is cut at a longer silence
};

// Returns faster-whisper's VadOptions for a recording that is transcribed window by window, and for
// one whose speech is cut into windows of `window_s` that are transcribed at once.
SpeechOptions faster_whisper_options();
SpeechOptions faster_whisper_batched_options(double window_s = 30);

// Checks the options; the error is invalid_option and names the option.
Result<void> validate(const SpeechOptions& options);

// Finds the speech of a recording in the probabilities of its chunks of 512 samples, as Silero's
// get_speech_timestamps does with all of them at once (silero_vad/utils_vad.py). A region that is
// too long is cut at the longest silence in it, or at its maximum length. Memory is constant. An
// object is for one recording at a time, on one thread.
class SpeechSegmenter {
 public:
  // `options` must be valid.
  explicit SpeechSegmenter(const SpeechOptions& options);

  // Takes the next chunk's probability and appends the regions that are then certain, in order and
  // never overlapping. A region is certain once it is known how much silence follows it.
  void push(float probability, std::vector<SpeechRegion>& regions);

  // Ends the recording after `total_samples`, within the last chunk. Appends the remaining regions,
  // and resets the object.
  void finish(std::int64_t total_samples, std::vector<SpeechRegion>& regions);

 private:
  struct Limits {  // samples
    double threshold;
    double neg_threshold;
    double max_speech;
    std::int64_t min_speech;
    std::int64_t min_silence;
    std::int64_t min_silence_at_max_speech;
    std::int64_t pad;
  };
  struct State {
    std::int64_t now = 0;                       // where the current chunk begins
    std::optional<std::int64_t> speech_begin;   // begin of the current region
    std::optional<std::int64_t> silence_begin;  // begin of the current silence in it
    SpeechRegion longest_silence;               // in the region, where it may be cut
    std::optional<SpeechRegion> held;           // the last region, not yet padded at its end
  };

  // Returns whether the current region goes on in this chunk.
  bool cut_if_too_long(std::vector<SpeechRegion>& regions);
  void close(std::int64_t end, std::vector<SpeechRegion>& regions);
  void emit_if_certain(std::vector<SpeechRegion>& regions);

  Limits limits_;
  State state_;
};

}  // namespace engine
