#pragma once

#include "engine/whisper/audio/mel_spool.h"
#include "engine/whisper/transcriber/clips.h"
#include "engine/whisper/transcriber/fallback.h"
#include "engine/whisper/transcriber/hearing.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// A window of a recording that was decoded.
struct DecodedWindow {
  Clip place;
  WindowKind kind = WindowKind::full;
  const DecodingOptions& decoding;
  const WindowTries& tries;
};

// Gives the window to the trial that the options name, if it is of use there: it was decoded in
// full as nobody has asked for, has some padding, and its first text counts.
Result<void> give_to_trial(const TranscriptionOptions& options, const MelSpool& spool,
                           const Hearing& hearing, const DecodedWindow& window);

}  // namespace engine
