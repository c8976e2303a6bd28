#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/whisper/transcriber/hearing.h"
#include "engine/whisper/transcriber/prompt_echo.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Drops segments that a model makes up where nobody speaks: what it was given to read, and in the
// last window the sentence before it once more. One is for one recording.
class MadeUp {
 public:
  MadeUp(const TranscriptionOptions& options, const Hearing& hearing)
      : prompt_(options), hearing_(hearing) {}

  // Removes such segments from those of a window, and cuts times that lie behind its end.
  //   is_last: the window ends with the recording
  Result<void> remove_from(std::vector<Segment>& segments, const Clip& window, bool is_last);

 private:
  Result<bool> is_made_up(const Segment& segment, bool is_last) const;

  PromptEcho prompt_;
  const Hearing& hearing_;
  std::string before_;  // the end of the text before, in letters alone
};

}  // namespace engine
