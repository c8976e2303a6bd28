#include "platform/verdict/memory_need.h"

#include <algorithm>

namespace platform {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

// Returns the bytes per value of activations and caches. With int8 weights these stay in 16 bits,
// but for the windows' on some devices.
std::int64_t bytes_per_value(std::string_view compute_type) {
  return compute_type == "float32" ? 4 : 2;
}

std::int64_t weights(const ModelSize& model, std::string_view compute_type) {
  if (compute_type != "int8") return model.parameters * bytes_per_value(compute_type);
  // The embedding stays in 16 bits on a GPU, and takes twelve on a CPU; the rest are convolutions,
  // positions and norms.
  const std::int64_t in_one_byte =
      std::min(model.parameters,
               encoder_layer_weights(model) + decoder_layer_weights(model) + cross_weights(model));
  return in_one_byte + 2 * (model.parameters - in_one_byte);
}

std::int64_t with_factor(std::int64_t bytes, const MemoryRules& rules) {
  return static_cast<std::int64_t>(static_cast<double>(bytes) * rules.factor);
}

}  // namespace

std::int64_t memory_need(const ModelSize& model, const MemoryRules& rules,
                         const MemoryQuestion& question) {
  const std::int64_t bytes = bytes_per_value(question.compute_type);
  const std::int64_t row =
      keys_and_values(model, model.decoder_positions) * bytes + row_choice_bytes(model);
  const std::int64_t window =
      (keys_and_values(model, model.encoder_positions) + encoder_activations(model)) * bytes +
      (question.fused_attention ? 0 : encoder_score_bytes(model));
  return rules.overhead_mib * mib + weights(model, question.compute_type) +
         question.batch * (question.beam_size * row + window);
}

std::int64_t memory_to_have(const ModelSize& model, const MemoryRules& rules,
                            const MemoryQuestion& question) {
  return with_factor(memory_need(model, rules, question), rules);
}

std::int64_t memory_to_have_beside_weights(const ModelSize& model, const MemoryRules& rules,
                                           const MemoryQuestion& question) {
  return with_factor(memory_need(model, rules, question) - weights(model, question.compute_type),
                     rules);
}

}  // namespace platform
