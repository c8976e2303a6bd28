#pragma once

#include <vector>

namespace engine {

// One of the triangles, which is 0 but for a few bins.
struct MelFilter {
  int first_bin = 0;
  std::vector<float> weights{};
};

// Returns Slaney's mel filters for 16 kHz and 400-point spectra, each of unit area, as Whisper was
// trained with them to the bit.
std::vector<MelFilter> mel_filters(int n_mels);

}  // namespace engine
