#pragma once

#include <optional>

#include "engine/audio/mel_spool.h"
#include "engine/runner/runner.h"
#include "engine/transcriber/clips.h"

namespace engine {

// Encodes windows of a recording, and keeps the first that the language was heard in: it is mostly
// the first that is decoded, and encoding it is half the work of a short recording.
class WindowEncoder {
 public:
  WindowEncoder(Runner& runner, const MelSpool& spool) : runner_(runner), spool_(spool) {}

  // A window to hear the language in, of 30 s at most.
  Result<EncodedWindow> hear(const Clip& clip);
  // A window to decode, which is not kept longer.
  Result<EncodedWindow> take(const Clip& clip);

 private:
  struct Kept {
    Clip clip;
    EncodedWindow window;
  };

  Result<EncodedWindow> encode(const Clip& clip);

  Runner& runner_;
  const MelSpool& spool_;
  std::optional<Kept> kept_;
};

}  // namespace engine
