#pragma once

#include <span>

#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"

namespace server {

// The options that transcribe what is left of a recording behind the segments that are decided:
// clip_timestamps from the end of the last one on, and its text as the prompt where earlier text is
// the prompt of later text. `language` is what was found before; empty: nothing was.
protocol::TranscribeOptions resumed(protocol::TranscribeOptions options,
                                    std::span<const protocol::Segment> decided,
                                    const std::string& language);

}  // namespace server
