#pragma once

#include <cstdint>

#include "engine/whisper/audio/mel_spool.h"
#include "engine/whisper/transcriber/speech.h"

namespace engine {

// Tells where somebody may speak in a recording: as Silero VAD hears it, and by how loud it is
// where that has not listened.
class Hearing {
 public:
  //   speech: may be null; that, too, must outlive the object
  //   content_frames: the recording's own frames in the spool
  Hearing(const MelSpool& spool, std::int64_t content_frames, const Speech* speech)
      : spool_(spool), content_frames_(content_frames), speech_(speech) {}

  // Returns the frame where somebody may speak first; 0 where nobody does.
  Result<std::int64_t> first_spoken() const;

  // Returns the frame where the last speech of the part ends; its beginning if there is none.
  Result<std::int64_t> last_spoken(const Clip& part) const;

  // Returns whether hardly anything in the part can be speech.
  Result<bool> is_silent(const Clip& part) const;

 private:
  Result<bool> is_faint(Clip part) const;

  const MelSpool& spool_;
  std::int64_t content_frames_;
  const Speech* speech_;
};

}  // namespace engine
