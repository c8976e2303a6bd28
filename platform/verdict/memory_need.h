#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/matrix/matrix.h"

namespace platform {

struct MemoryQuestion {
  std::string compute_type = "float16";  // float32, float16, bfloat16, int8
  int batch = 1;
  int beam_size = 5;
  bool fused_attention = true;  // otherwise the scores of the encoder's attention are stored
  bool on_cpu = false;          // on kernels of the engine's own
  bool half_weights = false;    // on a CPU: float32 reads weights that are float16 in the file
};

// Bytes that a model needs by the formulas of platform/model_size.h: weights, workspaces, keys and
// values, activations, logits; without the factor.
std::int64_t memory_need(const ModelSize& model, const MemoryRules& rules,
                         const MemoryQuestion& question);

// The bytes that must be free for it to count as fitting.
std::int64_t memory_to_have(const ModelSize& model, const MemoryRules& rules,
                            const MemoryQuestion& question);

// Returns the bytes that must be free for a process that shares the weights with one that has them
// already.
std::int64_t memory_to_have_beside_weights(const ModelSize& model, const MemoryRules& rules,
                                           const MemoryQuestion& question);

}  // namespace platform
