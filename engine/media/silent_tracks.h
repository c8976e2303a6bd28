#pragma once

#include <vector>

#include "engine/media/container.h"
#include "engine/media/descriptor_input.h"
#include "engine/media/tracks.h"

namespace engine::media {

// Samples of a silent recording are not above this: some dither, -78 dB.
inline constexpr double silent_peak = 1.2e-4;

// Returns the numbers of the tracks before the first audible one; none if all are silent. `ranked`
// are the tracks of the container, the best first, of which the first eight are listened to. They
// are decoded together, up to an audible frame of the best one that has any, so this costs little
// unless that one is silent. The container is opened anew for it, and again after it: pointers to
// its streams are invalid then. The input must be seekable.
Result<std::vector<int>> find_silent_tracks(DescriptorInput& input, Container& container,
                                            const std::vector<AudioTrack>& ranked,
                                            const Options& options);

}  // namespace engine::media
