#pragma once

#include <optional>
#include <vector>

#include "engine/media/audio_decoder.h"
#include "engine/media/container.h"
#include "engine/media/descriptor_input.h"
#include "engine/media/timeline.h"
#include "protocol/decoder_messages.h"

namespace engine::media {

// The audio track that is decoded.
struct Track {
  AVStream* stream;
  Timeline timeline;
  std::optional<double> declared_s{};                  // see declared_seconds()
  std::optional<double> ends_s{};                      // on the time line; see declares_end()
  std::vector<protocol::decoder::Warning> warnings{};  // of the choice of the track
};

struct OpenedTrack {
  Track track;
  AudioDecoder decoder;
};

// Opens the best track that is audible and whose codec can be decoded, and notes what is left out.
// To look for an audible one, the container may be opened anew. A pipe cannot be read twice, so a
// silent track stays the one that is taken there.
Result<OpenedTrack> open_track(DescriptorInput& input, Container& container,
                               const Options& options);

}  // namespace engine::media
