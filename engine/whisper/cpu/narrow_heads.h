#pragma once

#include <cstddef>
#include <vector>

#include "engine/whisper/constants.h"

namespace engine::cpu {

// The outputs or the inputs of a linear layer that are attention heads, of `width` numbers each in
// the model's file. Kernels compute heads of head_dim numbers, so narrower ones are filled up with
// zeros as the layer is packed, which changes no score and no sum.
struct Heads {
  enum class Side { none, outputs, inputs };

  Side side = Side::none;
  int width = head_dim;
};

// Puts zeros after every `width` numbers, so that there are `filled` in their place.
void fill_up(std::vector<float>& numbers, std::size_t width, std::size_t filled);

}  // namespace engine::cpu
