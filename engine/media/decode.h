#pragma once

#include "engine/media/descriptor_input.h"
#include "engine/media/error.h"
#include "engine/media/options.h"
#include "engine/media/report.h"
#include "protocol/decoder_messages.h"

namespace engine::media {

// Runs the whole decoding: bytes from `input`, PCM to `pcm_fd`, the format and warnings to
// `report`. Returns when the input has ended or the reader of the PCM has gone. `pcm_fd` is not
// owned.
Result<protocol::decoder::Finished> decode(DescriptorInput& input, int pcm_fd,
                                           const Options& options, Report& report);

}  // namespace engine::media
