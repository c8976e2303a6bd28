#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/tokenizer.h"
#include "engine/words/merge_punctuations.h"
#include "engine/words/word.h"

namespace engine {

// In what order a recording is decoded: each window after the one before it and with its text as
// the prompt, or windows that are cut in silences, several at once and each by itself.
enum class LongForm { sequential, parallel };

// Which text counts where a window fails at every temperature.
enum class Fallback { best, openai };

// How a whole recording is transcribed: the arguments of openai/whisper's `transcribe` under their
// names, and its command line's defaults. An unset threshold turns that rule off.
struct TranscriptionOptions {
  std::string language;                       // a code; empty: detected
  std::vector<std::string> languages;         // codes that detection chooses among; empty: all
  int language_detection_segments = 1;        // most windows that detection hears
  double language_detection_threshold = 0.5;  // a window above it is sure of its language
  int language_detection_candidates = 3;      // most languages whose text decides, see language.h
  bool multilingual = false;                  // each window has the language it is sure of
  Task task = Task::transcribe;
  std::vector<double> temperatures{0, 0.2, 0.4, 0.6, 0.8, 1};  // at least one, tried in order
  int beam_size = 5;
  int best_of = 5;
  double patience = 1;
  std::optional<double> length_penalty;
  std::vector<int> suppress_tokens{-1};  // -1 stands for the non-speech tokens
  bool suppress_blank = true;
  double repetition_penalty = 1;  // 1: none
  int no_repeat_ngram_size = 0;   // 0: no rule
  std::string initial_prompt;
  bool carry_initial_prompt = false;
  std::string hotwords;
  std::string prefix;
  bool condition_on_previous_text = true;
  std::optional<double> compression_ratio_threshold = 2.4;
  std::optional<double> logprob_threshold = -1.0;
  std::optional<double> no_speech_threshold = 0.6;
  bool loop_detection = true;  // text that ends in a loop is repetitive, too
  Fallback fallback = Fallback::best;
  std::vector<double> clip_timestamps;  // seconds: start, end, start, …; empty: everything
  bool without_timestamps = false;
  std::optional<double> max_initial_timestamp = 1.0;
  std::optional<int> sample_len;
  std::uint64_t seed = 0;
  bool word_timestamps = false;
  std::string prepend_punctuations{Punctuation().prepended};
  std::string append_punctuations{Punctuation().appended};
  std::optional<double> hallucination_silence_threshold;  // seconds; only with word_timestamps
  // The (decoder layer, head) pairs that follow time, as the model's files name them
  // (Weights::alignment_heads); empty: those of models of its dimensions.
  std::vector<std::pair<int, int>> alignment_heads;
  LongForm long_form = LongForm::sequential;
  bool vad_filter = false;  // windows without any speech give no text
  // Seconds of new sound between two passes over a recording that still goes on; unset: it is
  // whole.
  std::optional<double> live_chunk;
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
  std::string language;     // a code; empty unless `multilingual`
  std::vector<Word> words;  // empty without word_timestamps
};

}  // namespace engine
