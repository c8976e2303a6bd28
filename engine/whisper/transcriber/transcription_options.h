#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/words/word.h"
#include "protocol/transcribe_options.h"

namespace engine {

using protocol::Fallback;
using protocol::LongForm;

// How a whole recording is transcribed: what was asked for, after transcription_options
// (worker/options.h) has checked it against the model, and what the model makes of it. Languages
// are codes.
struct TranscriptionOptions : protocol::TranscribeOptions {
  std::vector<int> suppress_ids{-1};  // of suppress_tokens; -1 stands for the non-speech tokens
  // The (decoder layer, head) pairs that follow time, as the model's files name them
  // (Weights::alignment_heads); empty: those of models of its dimensions.
  std::vector<std::pair<int, int>> alignment_heads{};
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
