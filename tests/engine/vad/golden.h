#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "engine/vad/speech_segments.h"

namespace engine {

inline void PrintTo(const SpeechRegion& region, std::ostream* out) {
  *out << '[' << region.begin << ", " << region.end << ')';
}

// Returns what silero-vad finds in made-up probabilities and in recordings; see make_vad_golden.py.
inline nlohmann::json vad_golden() {
  return nlohmann::json::parse(
      std::ifstream(SCRIBED_SOURCE_DIR "/tests/engine/vad/vad_golden.json"));
}

inline SpeechOptions golden_options(const nlohmann::json& json) {
  SpeechOptions options;
  const auto set = [&](const char* name, auto& value) {
    if (json.contains(name)) value = json.at(name);
  };
  set("threshold", options.threshold);
  if (json.contains("neg_threshold")) options.neg_threshold = json.at("neg_threshold");
  set("min_speech_duration_ms", options.min_speech_duration_ms);
  set("max_speech_duration_s", options.max_speech_duration_s);
  set("min_silence_duration_ms", options.min_silence_duration_ms);
  set("speech_pad_ms", options.speech_pad_ms);
  set("min_silence_at_max_speech", options.min_silence_at_max_speech);
  return options;
}

inline std::vector<SpeechRegion> golden_regions(const nlohmann::json& json) {
  std::vector<SpeechRegion> regions;
  for (const auto& pair : json) regions.push_back({pair.at(0), pair.at(1)});
  return regions;
}

// Returns what a segmenter finds in all of them.
inline std::vector<SpeechRegion> segment(const SpeechOptions& options,
                                         const std::vector<float>& probabilities,
                                         std::int64_t total_samples) {
  SpeechSegmenter segmenter(options);
  std::vector<SpeechRegion> regions;
  for (const float probability : probabilities) segmenter.push(probability, regions);
  segmenter.finish(total_samples, regions);
  return regions;
}

}  // namespace engine
