#pragma once

#include <string>
#include <string_view>

#include "engine/error.h"
#include "platform/cpu.h"

namespace engine {

// The precision that weights and activations have. Logits are float32 in every case.
enum class ComputeType { float32, bfloat16 };

const char* name(ComputeType type);

struct ComputeTypeChoice {
  ComputeType type = ComputeType::float32;
  std::string reason;  // one sentence for the user
};

// "auto" is the fastest type that this CPU computes natively and that keeps the error rate. A type
// that the CPU can only emulate is taken when it was asked for by name, and `reason` says so.
Result<ComputeTypeChoice> choose_compute_type(std::string_view wanted,
                                              const platform::CpuFacts& cpu);

}  // namespace engine
