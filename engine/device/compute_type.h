#pragma once

#include <string>
#include <string_view>

#include "engine/device/device.h"
#include "engine/error.h"
#include "platform/cpu.h"

namespace engine {

// The precision that weights and activations have; int8 is that of linear layers: on a CPU of their
// inputs, too, with float32 between them, on a GPU of weights alone, which are multiplied in
// float16. Logits are float32 in every case.
enum class ComputeType { float32, float16, bfloat16, int8 };

const char* name(ComputeType type);

struct ComputeTypeChoice {
  ComputeType type = ComputeType::float32;
  std::string reason;  // one sentence for the user
};

// "auto" is the fastest type that the device computes natively and that keeps the error rate:
// float16 on a GPU; on a CPU int8, or else bfloat16, where it has instructions for it. A type that
// a CPU can only emulate is taken when it was asked for by name, and `reason` says so; float16 is
// refused there.
Result<ComputeTypeChoice> choose_compute_type(std::string_view wanted, const Device& device,
                                              const platform::CpuFacts& cpu);

}  // namespace engine
