#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "engine/recognizer/recognizer.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Transcribes a recording while it is made: decodes the latest sound again whenever
// `options.live_chunk` seconds more of it are there, and hands out the words that two passes agree
// on (live_words.h). Sound that comes in during a pass is heard by the next one, so a slow machine
// makes fewer passes; one slower still lets the sound wait where it comes from. At its end
// everything is decided. `sink` hears of the language, of segments and, after each pass, of what is
// said behind the last segment, on the calling thread.
//
// A pass is greedy, whatever the beam size; one that fails by the thresholds counts for nothing,
// until the sound is about to be left behind: then the other temperatures are tried. A language
// that was not given is detected anew in each pass until words are committed, which waits for five
// seconds of sound.
Result<Recognized> transcribe_live(Runner& runner, const Tokenizer& tokenizer,
                                   const ReadSound& read, const TranscriptionOptions& options,
                                   const TranscriptSink& sink, const std::stop_token& stop);

}  // namespace engine
