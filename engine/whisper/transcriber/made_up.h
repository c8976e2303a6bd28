#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/whisper/transcriber/hearing.h"
#include "engine/whisper/transcriber/prompt_echo.h"
#include "engine/whisper/transcriber/transcription_options.h"

namespace engine {

// Drops segments that a model makes up: what it was given to read and sentences of before once more
// where nobody speaks, and in the last window text of before that cannot be said in its time.
// Behind a prefix a segment without text is dropped, too. One is for one recording.
class MadeUp {
 public:
  MadeUp(const TranscriptionOptions& options, const Hearing& hearing)
      : given_(given_text(options)), has_prefix_(!options.prefix.empty()), hearing_(hearing) {}

  // Removes such segments from those of a window, and cuts times that lie behind its end.
  //   is_last: the window ends with the recording
  Result<void> remove_from(std::vector<Segment>& segments, const Clip& window, bool is_last);

 private:
  Result<bool> is_made_up(const Segment& segment, bool is_last) const;
  // Returns whether the text only repeats what the model had read when it wrote it.
  bool repeats_what_was_read(const Segment& segment, bool is_last) const;

  std::string given_;
  bool has_prefix_;
  const Hearing& hearing_;
  std::string before_;  // the end of the text before
};

}  // namespace engine
