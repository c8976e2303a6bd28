#include "platform/verdict/memory_need.h"

#include <algorithm>

namespace platform {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

// Returns the bytes per value of activations and caches. With int8 weights these stay in 16 bits.
std::int64_t bytes_per_value(std::string_view compute_type) {
  return compute_type == "float32" ? 4 : 2;
}

// Linear layers hold 12 d² values per layer of the encoder, 16 d² per layer of the decoder.
std::int64_t linear_parameters(const ModelSize& model) {
  const std::int64_t d = model.d_model;
  return d * d * (12 * model.encoder_layers + 16 * model.decoder_layers);
}

std::int64_t weights(const ModelSize& model, std::string_view compute_type) {
  if (compute_type != "int8") return model.parameters * bytes_per_value(compute_type);
  // The embedding is quantised like the linear layers; the rest are convolutions, positions and
  // norms.
  const std::int64_t d = model.d_model;
  const std::int64_t embedding = model.vocabulary * d;
  const std::int64_t in_one_byte = std::min(model.parameters, linear_parameters(model) + embedding);
  return in_one_byte + 2 * (model.parameters - in_one_byte);
}

}  // namespace

std::int64_t memory_need(const ModelSize& model, const MemoryRules& rules,
                         const MemoryQuestion& question) {
  const std::int64_t bytes = bytes_per_value(question.compute_type);
  const std::int64_t d = model.d_model;
  const std::int64_t positions = model.encoder_positions;
  const std::int64_t self_cache = 2 * model.decoder_layers * model.decoder_positions * d * bytes;
  const std::int64_t cross_cache = 2 * model.decoder_layers * positions * d * bytes;
  const std::int64_t activations = 10 * positions * d * bytes;
  const std::int64_t scores =
      question.fused_attention ? 0 : 2 * model.heads * positions * positions * bytes;
  return rules.overhead_mib * mib + weights(model, question.compute_type) +
         question.batch * (question.beam_size * self_cache + cross_cache + activations + scores);
}

std::int64_t memory_to_have(const ModelSize& model, const MemoryRules& rules,
                            const MemoryQuestion& question) {
  return static_cast<std::int64_t>(static_cast<double>(memory_need(model, rules, question)) *
                                   rules.factor);
}

}  // namespace platform
