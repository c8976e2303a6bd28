#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace engine {

// How a whole recording is transcribed: the arguments of openai/whisper's `transcribe` under their
// names, and its command line's defaults. An unset threshold turns that rule off.
struct TranscriptionOptions {
  std::string language;  // a code; empty: detected in the first 30 seconds
  Task task = Task::transcribe;
  std::vector<double> temperatures{0, 0.2, 0.4, 0.6, 0.8, 1};  // at least one, tried in order
  int beam_size = 5;
  int best_of = 5;
  double patience = 1;
  std::optional<double> length_penalty;
  std::vector<int> suppress_tokens{-1};  // -1 stands for the non-speech tokens
  bool suppress_blank = true;
  std::string initial_prompt;
  bool carry_initial_prompt = false;
  std::string hotwords;
  std::string prefix;
  bool condition_on_previous_text = true;
  std::optional<double> compression_ratio_threshold = 2.4;
  std::optional<double> logprob_threshold = -1.0;
  std::optional<double> no_speech_threshold = 0.6;
  std::vector<double> clip_timestamps;  // seconds: start, end, start, …; empty: everything
  bool without_timestamps = false;
  std::optional<double> max_initial_timestamp = 1.0;
  std::optional<int> sample_len;
  std::uint64_t seed = 0;
};

// One piece of the transcript, final when it is handed out.
struct Segment {
  int id = 0;
  std::int64_t seek = 0;  // first frame of its window, 10 ms each
  double start = 0;       // seconds
  double end = 0;
  std::string text;  // with its leading space
  std::vector<int> tokens;
  double temperature = 0;
  double avg_logprob = 0;
  double compression_ratio = 0;
  double no_speech_prob = 0;
};

}  // namespace engine
