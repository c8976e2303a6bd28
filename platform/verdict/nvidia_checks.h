#pragma once

#include "platform/verdict/card.h"
#include "platform/verdict/judgement.h"

namespace platform {

// Adds why CUDA does not list a card: the first cause that the facts show, and always one. It adds
// nothing if CUDA lists the card.
void check_nvidia_driver(Judgement& judgement, const Card& card);

// Checks the causes that follow from what cuInit and NVML answered. Returns true if one was
// found.
bool nvidia_library_fails(Judgement& judgement, const Card& card);

// Checks whether a pack's CUDA runs with this driver: the floor below which nothing runs, that of
// the card's generation, and, as a note, the driver that came with the toolkit.
void check_cuda_driver(Judgement& judgement, const Card& card);

// Checks whether the pack has kernels for the card.
void check_cuda_kernels(Judgement& judgement, const Card& card);

// Checks whether cuDNN and the other libraries of the pack load, and fit the build and the card.
void check_cuda_math(Judgement& judgement, const Card& card);

// Reads free memory and other findings from NVML, and fills the verdict's memory.
void check_nvml(Judgement& judgement, const Card& card);

// Judges one pack on one card; a pack without a worker stands for "there is none".
Verdict judge_nvidia_card(const Facts& facts, const Matrix& matrix,
                          const DeviceRequirements& request, const Pack& pack, const Card& card);

}  // namespace platform
