#pragma once

#include <optional>

#include "engine/whisper/audio/mel_spool.h"
#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/clips.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Returns whether windows that have less than 30 s of audio are encoded short: the options ask for
// it, or the model does so by default.
bool encodes_short(const Runner& runner, const TranscriptionOptions& options);

// Encodes windows of a recording, and keeps the one that the language was heard in last: it is
// mostly the first that is decoded, and encoding it is half the work of a short recording. It holds
// no window while it waits for another: there may be a place for one alone (see runner/README.md),
// which then would never be free.
class WindowEncoder {
 public:
  // The options say whether windows that have less than 30 s of audio are encoded short.
  WindowEncoder(Runner& runner, const MelSpool& spool, const TranscriptionOptions& options);

  // Encodes a window of 30 s at most to hear the language in.
  Result<EncodedWindow> hear(const Clip& clip);
  // Encodes a window to decode, which is not kept longer.
  Result<EncodedWindow> take(const Clip& clip);
  // Encodes the window that was taken last in full.
  Result<EncodedWindow> take_full(const Clip& clip);

 private:
  struct Kept {
    Clip clip;
    EncodedWindow window;
  };

  Runner& runner_;
  const MelSpool& spool_;
  bool shortens_;
  std::optional<Kept> kept_;
};

}  // namespace engine
