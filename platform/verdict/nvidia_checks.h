#pragma once

#include "platform/verdict/card.h"
#include "platform/verdict/judgement.h"

namespace platform {

// Why CUDA does not list a card: the first cause that the facts show, and always one. Nothing where
// it does list the card.
void check_nvidia_driver(Judgement& judgement, const Card& card);

// The part of it that follows from what cuInit and NVML answered. True: a cause was found.
bool nvidia_library_fails(Judgement& judgement, const Card& card);

// Whether a pack's CUDA runs under this driver: the floor below which nothing runs, that of the
// card's generation, and, as a note, the driver that came with the toolkit.
void check_cuda_driver(Judgement& judgement, const Card& card);

// Whether the pack has kernels for the card.
void check_cuda_kernels(Judgement& judgement, const Card& card);

// Whether cuDNN and the other libraries of the pack load, and fit the build and the card.
void check_cuda_math(Judgement& judgement, const Card& card);

// Free memory where NVML says it, and what NVML says besides. Fills the verdict's memory.
void check_nvml(Judgement& judgement, const Card& card);

// A listed card's compute capability, or that of the matrix's card; 0.0: not known.
ComputeCapability compute_capability(const Card& card);

// One pack on one card; a pack without a worker stands for "there is none".
Verdict judge_nvidia_card(const Facts& facts, const Matrix& matrix, const Request& request,
                          const Pack& pack, const Card& card);

}  // namespace platform
