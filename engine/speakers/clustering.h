#pragma once

#include <span>
#include <vector>

namespace engine {

// The number of speakers that may be told apart.
struct SpeakerBounds {
  int least = 1;
  int most = 20;
};

// Tells the speakers of a recording apart by the embeddings of its pieces, and returns the number
// of each piece's speaker, in the order of first appearance. Average linkage in blocks of ten
// minutes of speech joins what is surely one voice, and then these small clusters: ten hours take
// seconds.
//   embeddings  [pieces × size], of any length but zero
std::vector<int> cluster_speakers(std::span<const float> embeddings, int size,
                                  const SpeakerBounds& bounds = {});

}  // namespace engine
