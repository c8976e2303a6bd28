#include "engine/whisper/torch_model/attention.h"

#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/tensor_load.h"

namespace engine {
namespace {

constexpr double query_scale = 0.125;

at::Tensor weight_of(const Weights& weights, const std::string& projection) {
  return load_float32(weights, projection + ".weight");
}

at::Tensor bias_of(const Weights& weights, const std::string& projection) {
  return load_float32(weights, projection + ".bias");
}

}  // namespace

Linear fused_qkv(const Weights& weights, const std::string& prefix, const Placement& placement,
                 std::int64_t rows) {
  const at::Tensor query = weight_of(weights, prefix + ".query") * query_scale;
  const at::Tensor query_bias = bias_of(weights, prefix + ".query") * query_scale;
  // Whisper's key projection has no bias.
  return Linear(
      at::cat({query, weight_of(weights, prefix + ".key"), weight_of(weights, prefix + ".value")}),
      at::cat({query_bias, at::zeros_like(query_bias), bias_of(weights, prefix + ".value")}),
      placement, rows);
}

Linear scaled_query(const Weights& weights, const std::string& prefix, const Placement& placement,
                    std::int64_t rows) {
  return Linear(weight_of(weights, prefix + ".query") * query_scale,
                bias_of(weights, prefix + ".query") * query_scale, placement, rows);
}

Linear fused_kv(const Weights& weights, const std::string& prefix, const Placement& placement,
                std::int64_t rows) {
  const at::Tensor value_bias = bias_of(weights, prefix + ".value");
  return Linear(
      at::cat({weight_of(weights, prefix + ".key"), weight_of(weights, prefix + ".value")}),
      at::cat({at::zeros_like(value_bias), value_bias}), placement, rows);
}

at::Tensor split_heads(const at::Tensor& x) {
  return x.view({x.size(0), x.size(1), -1, head_dim}).transpose(1, 2);
}

at::Tensor merge_heads(const at::Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), -1});
}

}  // namespace engine
