#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace protocol {

// Times are seconds from the start of the recording everywhere below.

struct Word {
  double start = 0;
  double end = 0;
  std::string word{};  // keeps its leading space
  double probability = 0;

  friend bool operator==(const Word&, const Word&) = default;
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
  std::vector<Word> words{};  // empty unless word times were asked for

  friend bool operator==(const Segment&, const Segment&) = default;
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
  std::string code{};      // of the finding, as in the GPU guide: "CUDA_DRIVER_TOO_OLD"
  std::string headline{};  // the finding in a sentence

  friend bool operator==(const DeviceFallback&, const DeviceFallback&) = default;
};

struct Transcript {
  std::string text{};
  std::vector<Segment> segments{};
  std::string language{};
  double duration = 0;
  std::string model{};
  std::string device{};         // "cuda:0", "cpu"
  std::string device_reason{};  // why that one: "the first working GPU"
  std::optional<DeviceFallback> fallback{};
  std::string compute_type{};
  std::string task{};
  Timings timings{};
  std::vector<std::string> warnings{};

  friend bool operator==(const Transcript&, const Transcript&) = default;
};

}  // namespace protocol
