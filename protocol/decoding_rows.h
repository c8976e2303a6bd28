#pragma once

#include <algorithm>

#include "protocol/transcribe_options.h"

namespace protocol {

// Returns how many sequences are decoded side by side at most: beams at temperature 0, samples at
// others. Each has memory of its own.
inline int decoding_rows(const TranscribeOptions& options) {
  const bool samples = std::ranges::any_of(options.temperatures, [](double t) { return t > 0; });
  return std::max({1, options.beam_size, samples ? options.best_of : 1});
}

}  // namespace protocol
