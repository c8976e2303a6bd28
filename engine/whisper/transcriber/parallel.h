#pragma once

#include "engine/whisper/transcriber/sequential.h"
#include "engine/whisper/transcriber/speech.h"

namespace engine {

// Transcribes a recording in windows that are cut in its silences, several at once and each by
// itself, without the text before it: the initial prompt and the hotwords go to every window.
// Within a window it goes on as transcribe_sequential does, and speech that no segment covers is
// decoded once more by itself. Silence is in no window, so nothing can be invented there.
// A recording of 30 s at most is transcribed as transcribe_sequential does it.
// Times are those of the recording; arguments and errors are those of transcribe_sequential.
Result<std::string> transcribe_parallel(Runner& runner, const Tokenizer& tokenizer,
                                        const MelSpool& spool, std::int64_t content_frames,
                                        const Speech& speech, const TranscriptionOptions& options,
                                        const TranscriptSink& sink, const std::stop_token& stop);

}  // namespace engine
