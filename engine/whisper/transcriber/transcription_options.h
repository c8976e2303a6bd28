#pragma once

#include <utility>
#include <vector>

#include "protocol/transcribe_options.h"
#include "protocol/transcript_event.h"

namespace engine {

class ShortTrial;

using protocol::EncoderWindow;
using protocol::Fallback;
using protocol::LongForm;
using protocol::Segment;
using protocol::TranscriptEvent;
using protocol::TranscriptSink;
using protocol::WindowKind;

// The options for transcribing a whole recording: what was asked for, after transcription_options
// (recognizer/options.h) has checked it against the model, and what the model makes of it.
// Languages are codes.
struct TranscriptionOptions : protocol::TranscribeOptions {
  std::vector<int> suppress_ids{-1};  // of suppress_tokens; -1 stands for the non-speech tokens
  // The (decoder layer, head) pairs that follow time, as the model's files name them
  // (Weights::alignment_heads); empty: those of models of its dimensions.
  std::vector<std::pair<int, int>> alignment_heads{};
  ShortTrial* short_trial = nullptr;  // which wants clips of this model; it outlives the options
};

}  // namespace engine
