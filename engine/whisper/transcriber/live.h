#pragma once

#include <stop_token>

#include "engine/live/live_source.h"
#include "engine/recognizer/recognizer.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Transcribes sound while it is made, turn by turn, until its source has ended: see
// Recognizer::transcribe_live. Words are told as soon as they are sure (live_align.h), and never
// taken back. Sound that comes in during a pass is heard by the next one, so a slow machine makes
// fewer passes, and loses nothing.
//
// A pass is greedy, whatever the beam size; one that fails by the thresholds counts for nothing,
// until the turn ends or the sound is about to be left behind: then the other temperatures are
// tried. A language that was not given is detected anew in each pass until it is settled
// (live_language.h), and no word is told before, unless its turn ends or its sound is left behind.
Result<Recognized> transcribe_live(Runner& runner, const Tokenizer& tokenizer,
                                   const TranscriptionOptions& options,
                                   const protocol::LiveOptions& live, LiveSource& source,
                                   const TranscriptSink& sink, const std::stop_token& stop);

}  // namespace engine
