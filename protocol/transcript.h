#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace protocol {

// Times in this file are seconds from the start of the recording.

struct Word {
  double start = 0;
  double end = 0;
  std::string word{};  // keeps its leading space
  double probability = 0;
  int text_tokens = 0;  // how many of its segment's tokens it is; 0: unknown

  friend bool operator==(const Word&, const Word&) = default;
};

// A token of the text. Its bytes may be a part of a character.
struct TokenLogprob {
  std::vector<int> bytes{};
  double logprob = 0;  // natural logarithm of its probability, among the tokens that were allowed

  friend bool operator==(const TokenLogprob&, const TokenLogprob&) = default;
};

// How the encoder computed a window: all of its 30 seconds, or the audio and few positions of the
// padding after it. `checked`: a short window whose text failed the check, and which was then
// computed in full.
enum class WindowKind { full, shortened, checked };

// How many windows were computed in each way.
struct WindowCounts {
  int full = 0;
  int shortened = 0;
  int checked = 0;

  friend bool operator==(const WindowCounts&, const WindowCounts&) = default;
};

struct Segment {
  int id = 0;
  std::int64_t seek = 0;  // start of the window it was decoded from, in frames of 10 ms
  double start = 0;
  double end = 0;
  std::string text{};  // keeps its leading space
  std::vector<int> tokens{};
  double temperature = 0;
  double avg_logprob = 0;
  double compression_ratio = 0;
  double no_speech_prob = 0;
  std::string language{};        // a code; empty unless each window has its own
  std::vector<Word> words{};     // empty unless word times were asked for
  std::optional<int> channel{};  // 0 or 1, if channels are transcribed separately
  std::string speaker{};         // a name; empty: unknown

  std::vector<TokenLogprob> token_logprobs{};  // of the text; empty unless they were asked for
  std::optional<WindowKind> encoder_window{};  // its window's; unset: unknown

  friend bool operator==(const Segment&, const Segment&) = default;
};

// Returns how sure the model was of the segment's window, from 0 to 1: the geometric mean of its
// tokens' probabilities.
inline double confidence(const Segment& segment) {
  return std::exp(segment.avg_logprob);
}

// The text after the last segment of a recording that has not ended.
struct LiveText {
  double heard_s = 0;  // how much of the recording was heard so far
  std::string text{};  // decided, the beginning of the next segment; keeps its leading space
  std::string tail{};  // follows `text`, and may change

  friend bool operator==(const LiveText&, const LiveText&) = default;
};

// Wall-clock seconds; decode_s is the audio decoder's, which runs beside the transcription.
struct Timings {
  double load_s = 0;
  double decode_s = 0;
  double transcribe_s = 0;
  double total_s = 0;

  friend bool operator==(const Timings&, const Timings&) = default;
};

// A GPU that was asked for, or is there, and was not used.
struct DeviceFallback {
  std::string wanted{};    // "cuda:0", or "auto"
  std::string code{};      // code of the finding, as in the GPU guide: "CUDA_DRIVER_TOO_OLD"
  std::string headline{};  // the finding in a sentence

  friend bool operator==(const DeviceFallback&, const DeviceFallback&) = default;
};

// A language, and how likely it is the one that is spoken.
struct LanguageDetected {
  std::string language{};  // a code
  double probability = 0;

  friend bool operator==(const LanguageDetected&, const LanguageDetected&) = default;
};

// A stretch of time in which one speaker speaks; those of others may overlap it.
struct SpeakerTurn {
  double start = 0;
  double end = 0;
  std::string speaker{};
  std::optional<int> channel{};  // 0 or 1, if channels are transcribed separately

  friend bool operator==(const SpeakerTurn&, const SpeakerTurn&) = default;
};

struct Transcript {
  std::string text{};
  std::vector<Segment> segments{};
  std::string language{};
  std::vector<LanguageDetected> languages{};  // the likeliest, if only the language was wanted
  std::vector<SpeakerTurn> turns{};  // in the order of their starts, if speakers were told apart
  double duration = 0;
  std::string model{};
  std::string device{};         // "cuda:0", "cpu", "cpu:1" on a NUMA node
  std::string device_reason{};  // why it was chosen: "the first working GPU"
  std::optional<DeviceFallback> fallback{};
  std::string compute_type{};
  std::string task{};
  Timings timings{};
  WindowCounts windows{};  // of the recording; those of live sessions are not counted
  std::vector<std::string> warnings{};

  friend bool operator==(const Transcript&, const Transcript&) = default;
};

}  // namespace protocol
