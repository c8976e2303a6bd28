#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/whisper/text/tokenizer.h"

namespace engine {

// The options for decoding one window at one temperature. Names are those of openai/whisper's
// `DecodingOptions`.
struct DecodingOptions {
  Task task = Task::transcribe;
  std::string language = "en";  // a code
  double temperature = 0;
  std::optional<int> sample_len;         // most tokens to sample; unset: half of the text context
  int best_of = 1;                       // samples at temperature > 0
  int beam_size = 1;                     // beams at temperature 0; 1 is greedy
  double patience = 1;                   // of the beam search (arXiv 2204.05424)
  std::optional<double> length_penalty;  // alpha of Google NMT; unset: the mean over the length
  std::vector<int> prompt;               // tokens of the text before
  std::vector<int> prefix;               // tokens that the window's own text starts with
  std::vector<int> suppress_tokens;      // resolved ids
  bool suppress_blank = true;
  bool without_timestamps = false;
  std::optional<double> max_initial_timestamp = 1.0;  // seconds
  std::uint64_t seed = 0;                             // of the sampling at temperature > 0
  double repetition_penalty = 1;  // of text tokens that the window already has; 1: none
  int no_repeat_ngram_size = 0;   // as many text tokens in a row occur once only; 0: no rule
  bool loop_detection = false;    // a decode that is caught in a loop ends early

  bool sampling() const { return temperature > 0; }
  // Returns how many sequences are decoded side by side.
  int n_rows() const { return sampling() ? best_of : beam_size; }
};

struct DecodingResult {
  std::vector<int> tokens;      // after the initial tokens and before eot; timestamps included
  std::vector<float> logprobs;  // one for each token, among those that the rules allowed
  std::string text;             // stripped
  double avg_logprob = 0;
  double no_speech_prob = 0;
  double temperature = 0;
  double compression_ratio = 0;
  bool looping = false;  // with loop_detection: the text ends in a loop
};

}  // namespace engine
