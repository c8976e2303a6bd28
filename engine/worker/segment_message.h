#pragma once

#include "engine/whisper/transcriber/transcription_options.h"
#include "protocol/transcript.h"

namespace engine {

// A segment as it goes to the daemon.
protocol::Segment segment_message(const Segment& segment);

}  // namespace engine
