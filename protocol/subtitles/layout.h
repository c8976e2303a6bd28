#pragma once

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"

namespace protocol {

// Returns what lays out the subtitles of a style; nothing for whisper. The line options of
// WriterOptions mean nothing to it.
CueLayout layout_of(SubtitleStyle style);

// Returns the options with the layout of a style. openai/whisper's line options come before the
// layout of default, which nobody asked for.
WriterOptions with_style(WriterOptions options, SubtitleStyle style);

}  // namespace protocol
