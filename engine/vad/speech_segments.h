#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/error.h"

namespace engine {

// Samples [begin, end) of a recording at 16 kHz.
struct SpeechRegion {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t length() const { return end - begin; }
  bool operator==(const SpeechRegion&) const = default;
};

// Silero's names and defaults.
struct SpeechOptions {
  double threshold = 0.5;               // speech begins at this probability
  std::optional<double> neg_threshold;  // and ends below this; threshold - 0.15, at least 0.01
  int min_speech_duration_ms = 250;     // regions that are not longer are dropped
  double max_speech_duration_s = std::numeric_limits<double>::infinity();
  int min_silence_duration_ms = 100;   // a shorter silence ends no region
  int speech_pad_ms = 30;              // added at both ends
  int min_silence_at_max_speech = 98;  // ms; a region that is too long is cut at a longer silence
};

// What faster-whisper's VadOptions are for a recording that is transcribed window by window, and
// for one whose speech is cut into windows of `window_s` that are transcribed at once.
SpeechOptions faster_whisper_options();
SpeechOptions faster_whisper_batched_options(double window_s = 30);

// Fails with invalid_option, naming the option that has no meaning.
Result<void> validate(const SpeechOptions& options);

// Finds the speech of a recording in the probabilities of its chunks of 512 samples, as
// get_speech_timestamps of Silero does with all of them at hand (silero_vad/utils_vad.py). A region
// too long is cut at the longest silence in it, or where it is as long as it may be.
// Memory is constant. One recording, one thread.
class SpeechSegmenter {
 public:
  // `options` are valid.
  explicit SpeechSegmenter(const SpeechOptions& options);

  // Takes the next chunk's probability and appends the regions that are then certain, in order and
  // never overlapping. A region is certain once it is known how much silence follows it.
  void push(float probability, std::vector<SpeechRegion>& regions);

  // The recording ends after `total_samples`, within the last chunk. Appends what is left; the
  // object is then as new.
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
    std::optional<std::int64_t> speech_begin;   // of the region under way
    std::optional<std::int64_t> silence_begin;  // of the silence under way in it
    SpeechRegion longest_silence;               // in it, where it may be cut
    std::optional<SpeechRegion> held;           // the last region, not yet padded at its end
  };

  // Whether the region under way goes on in this chunk.
  bool cut_if_too_long(std::vector<SpeechRegion>& regions);
  void close(std::int64_t end, std::vector<SpeechRegion>& regions);
  void emit_if_certain(std::vector<SpeechRegion>& regions);

  Limits limits_;
  State state_;
};

}  // namespace engine
