#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/whisper/runner/runner.h"
#include "engine/whisper/transcriber/transcription_options.h"
#include "engine/whisper/transcriber/window_segments.h"
#include "engine/whisper/words/hallucinations.h"

namespace engine {

// A decoded window whose words are wanted.
struct TimedWindow {
  EncodedWindow encoded;
  WindowPlace place;
  std::string language;        // a code
  double last_speech_end = 0;  // when the speech before the window was over, in seconds
};

// Returns the words of a text that was heard in a window, with their times from its start: the
// decoder reads the text once more, all at once, to see where it looks for each token. The last
// speech before the window plays no part.
//   text: ids of text alone, at least one
Result<std::vector<AlignedWord>> words_of_text(Runner& runner, const Tokenizer& tokenizer,
                                               const TimedWindow& window, std::span<const int> text,
                                               const TranscriptionOptions& options);

// Returns the window's segments with their words, both with their final times. openai/whisper
// timing.py `add_word_timestamps`.
//   parts: from split_window
Result<std::vector<SegmentWords>> words_of_window(Runner& runner, const Tokenizer& tokenizer,
                                                  const TimedWindow& window,
                                                  std::span<const TimedTokens> parts,
                                                  const TranscriptionOptions& options);

}  // namespace engine
