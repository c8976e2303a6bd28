#pragma once

#include "protocol/transcribe_options.h"
#include "protocol/writers.h"

namespace protocol {

// Returns what lays out the subtitles of a style; nothing for the styles that keep openai/whisper's
// cues. The line options of WriterOptions mean nothing to it.
CueLayout layout_of(SubtitleStyle style);

}  // namespace protocol
