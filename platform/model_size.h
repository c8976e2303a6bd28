#pragma once

#include <cstdint>

namespace platform {

// The sizes of a model of an encoder and a decoder, from which follows how much memory it needs
// (verdict/memory_need.h).
struct ModelSize {
  std::int64_t parameters = 0;
  int d_model = 0;
  int heads = 0;
  int encoder_layers = 0;
  int decoder_layers = 0;
  int encoder_positions = 0;  // of one window of sound
  int decoder_positions = 0;  // at most
  int vocabulary = 0;
};

}  // namespace platform
