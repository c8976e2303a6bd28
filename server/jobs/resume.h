#pragma once

#include <span>

#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"

namespace server {

// Returns the options that transcribe what is left of a recording behind the segments that are
// decided: clip_timestamps from the end of the last one on, and its text as the prompt if earlier
// text is the prompt of later text. `position` is up to where all is decided (seconds), which is
// further if nobody speaks behind that segment. `language` is the one that was detected before;
// empty: none was.
protocol::TranscribeOptions resumed(protocol::TranscribeOptions options,
                                    std::span<const protocol::Segment> decided, double position,
                                    const std::string& language);

// Returns the same for one channel of a recording whose channels are transcribed separately.
// `decided` are the segments of both, in the order of their starts: before the start of the last
// one nothing is missing of either, nor a window before the position of both.
protocol::TranscribeOptions resumed_channel(protocol::TranscribeOptions options,
                                            std::span<const protocol::Segment> decided,
                                            double position, int channel);

}  // namespace server
