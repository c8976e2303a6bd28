#pragma once

#include <optional>
#include <string_view>

#include "protocol/transcribe_options.h"

namespace protocol::subtitles {

// A cue has two lines at most in each style.
inline constexpr int most_lines = 2;

// What a style allows. Widths are in columns: a wide character of Chinese, Japanese or Korean has
// two, a mark that combines with a letter none.
struct Rules {
  int columns = 42;                // of a line
  int wide_columns = 32;           // of a line where most of the text is wide
  double columns_per_s = 20;       // reading speed
  double wide_columns_per_s = 18;  // where most of the text is wide
  double shortest_s = 5.0 / 6;
  double longest_s = 7;
  double gap_s = 0.08;  // between two cues: two frames at 25 frames a second
};

// Returns nothing for whisper, which keeps openai/whisper's cues. The limits of default are those
// of netflix.
std::optional<Rules> rules_of(SubtitleStyle style);

// Returns whether the style is a broadcaster's: netflix or bbc.
bool is_of_broadcaster(SubtitleStyle style);

// Returns whether what is written of a transcription needs the times of its words. Those of a
// segment say too little: it may begin with half a minute of silence. The styles of broadcasters
// always need them; default needs them in srt, vtt and ass, of what is not translated, as words of
// another language than the speaker's have no times of their own.
bool needs_word_times(const TranscribeOptions& options, std::string_view format);

}  // namespace protocol::subtitles
