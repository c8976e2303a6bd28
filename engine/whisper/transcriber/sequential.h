#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "engine/whisper/audio/mel_spool.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/speech.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Returns how far a transcription is that has decided everything before the frame.
protocol::Progress progress_at(std::int64_t frame, std::int64_t content_frames);

// Transcribes a recording window by window, each with the text before it as its prompt, as
// openai/whisper's transcribe.py `transcribe` does; with the fallback "openai" exactly so, without
// the rules of MadeUp.
//   content_frames: the recording's own frames in the spool, 10 ms each
//   sink: hears of the language, of segments and of progress, on the calling thread. The duration
//     that it is told is that of the frames
//   speech: what VAD has heard, or null. With the option vad_filter all without speech is passed
//     over, and segments begin and end with their speech
// Returns the language code; of a multilingual recording that of its beginning. Fails with
// `cancelled` on a stop request; segments that were handed out before stay valid.
Result<std::string> transcribe_sequential(Runner& runner, const Tokenizer& tokenizer,
                                          const MelSpool& spool, std::int64_t content_frames,
                                          const TranscriptionOptions& options,
                                          const TranscriptSink& sink, const std::stop_token& stop,
                                          const Speech* speech = nullptr);

}  // namespace engine
