#pragma once

#include <span>

#include "engine/error.h"

namespace engine {

// A listener of one recording: it is given every sample once and in order, and keeps what it makes
// of them. One thread uses it.
class PcmSink {
 public:
  virtual ~PcmSink() = default;

  //   pcm  mono samples in [-1, 1] at 16 kHz, in pieces of any size
  virtual Result<void> push(std::span<const float> pcm) = 0;

  // Ends the recording; nothing is pushed any more.
  virtual Result<void> finish() = 0;
};

}  // namespace engine
