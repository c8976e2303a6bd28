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

std::int64_t weights(const ModelSize& model, const MemoryQuestion& question) {
  const std::int64_t numbers = model.parameters + filled_up_weights(model);
  if (question.on_cpu && question.half_weights && question.compute_type == "float32") {
    return 2 * numbers;
  }
  if (question.compute_type != "int8") return numbers * bytes_per_value(question.compute_type);
  // The embedding stays in 16 bits on a GPU, and takes twelve on a CPU; the rest are convolutions,
  // positions and norms.
  const std::int64_t in_one_byte = std::min(
      numbers, encoder_layer_weights(model) + decoder_layer_weights(model) + cross_weights(model));
  return in_one_byte + 2 * (numbers - in_one_byte);
}

// Returns the bytes of the keys and values of a window. In int8 a CPU has them in int8, too.
std::int64_t window_store(const ModelSize& model, const MemoryQuestion& question) {
  const bool in_one_byte = question.on_cpu && question.compute_type == "int8";
  return keys_and_values(model, model.encoder_positions) *
         (in_one_byte ? 1 : bytes_per_value(question.compute_type));
}

std::int64_t with_factor(std::int64_t bytes, const MemoryRules& rules, bool on_cpu) {
  const double factor = on_cpu ? rules.cpu_factor : rules.factor;
  return static_cast<std::int64_t>(static_cast<double>(bytes) * factor);
}

}  // namespace

std::int64_t memory_need(const ModelSize& model, const MemoryRules& rules,
                         const MemoryQuestion& question) {
  const std::int64_t bytes = bytes_per_value(question.compute_type);
  const std::int64_t row =
      keys_and_values(model, model.decoder_positions) * bytes + row_choice_bytes(model);
  const std::int64_t window = window_store(model, question) + encoder_activations(model) * bytes +
                              (question.fused_attention ? 0 : encoder_score_bytes(model));
  const int overhead_mib = question.on_cpu ? rules.cpu_overhead_mib : rules.overhead_mib;
  return overhead_mib * mib + weights(model, question) +
         question.batch * (question.beam_size * row + window);
}

std::int64_t memory_to_have(const ModelSize& model, const MemoryRules& rules,
                            const MemoryQuestion& question) {
  return with_factor(memory_need(model, rules, question), rules, question.on_cpu);
}

std::int64_t memory_to_have_beside_weights(const ModelSize& model, const MemoryRules& rules,
                                           const MemoryQuestion& question) {
  return with_factor(memory_need(model, rules, question) - weights(model, question), rules,
                     question.on_cpu);
}

}  // namespace platform
