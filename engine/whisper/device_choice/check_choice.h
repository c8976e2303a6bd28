#pragma once

#include <vector>

#include "engine/cuda_kernels/check_kernels.h"
#include "engine/whisper/text/special_tokens.h"

namespace engine {

// Lets the kernels choose beside libtorch's operations on that device: the likeliest tokens,
// samples and beams, with timestamps and without, for some steps, and histories that move with the
// beams. The very same tokens are right; logprobs may differ by 0.001.
std::vector<KernelCheck> check_choice(StepKernels& kernels, const at::Device& device,
                                      const SpecialTokens& specials);

}  // namespace engine
