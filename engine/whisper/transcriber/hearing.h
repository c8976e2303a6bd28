#pragma once

#include <cstdint>
#include <span>

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

  // Returns whether VAD is sure of speech in the part: a second of it or more.
  bool is_spoken(const Clip& part) const;

  // Returns where to go on in a part whose windows need no decoding to be silent: a little before
  // its first sound after a second or more of digital silence, or before what follows 5 s and more
  // that are faint or steady noise and in which VAD hears nobody; else its beginning. Where VAD has
  // not listened, faint parts are no silence, but steady noise is.
  Result<std::int64_t> after_silence(Clip part) const;

  // Moves times of segments and of their words that lie in digital silence to where the sound in
  // them begins and ends. What has no sound stays.
  Result<void> move_to_sound(std::span<Segment> segments) const;

  // Returns where to go on in a window whose text counts for nothing: a little before its speech if
  // that begins a second or more after the window; else its end.
  Result<std::int64_t> after_pause(const Clip& window) const;

 private:
  Result<void> move_to_sound(Segment& segment) const;
  Result<void> move_to_sound(double& start, double& end) const;
  Result<bool> is_faint(Clip part) const;
  // Returns where the first window of the part has sound after such a silence.
  Result<std::int64_t> end_of_silence(const Clip& part) const;
  // Return where a faint part and steady noise at the beginning of a window end; its beginning if
  // there is none.
  Result<std::int64_t> end_of_faint(const Clip& window) const;
  Result<std::int64_t> end_of_noise(const Clip& window) const;
  // Returns a little before the first speech that VAD hears in a part, or its end.
  std::int64_t begin_of_voice(const Clip& part) const;
  Result<std::int64_t> begin_of_speech(const Clip& part) const;
  // Returns whether somebody may speak in a step, where VAD hears it or else by its loudness.
  Result<bool> may_be_speech(const Clip& step) const;

  const MelSpool& spool_;
  std::int64_t content_frames_;
  const Speech* speech_;
};

}  // namespace engine
