#include "engine/whisper/torch_model/attention.h"

#include <cmath>
#include <vector>

#include "engine/whisper/constants.h"
#include "engine/whisper/torch_model/tensor_load.h"

namespace engine {
namespace {

// Returns the width of a head in the model's file.
int width_of_head(const Weights& weights, const std::string& layer) {
  const ModelDims& dims = weights.dims();
  return layer.starts_with("encoder") ? dims.n_audio_state / dims.n_audio_head
                                      : dims.n_text_state / dims.n_text_head;
}

// Fills up the heads of one dimension with zeros to head_dim numbers each, which changes no score
// and no sum.
at::Tensor fill_up(const at::Tensor& x, std::int64_t dimension, int width) {
  if (width == head_dim) return x;
  const at::Tensor heads = x.unflatten(dimension, {-1, width});
  std::vector<std::int64_t> padding(static_cast<std::size_t>(2 * (heads.dim() - dimension - 1)));
  padding.back() = head_dim - width;
  return at::constant_pad_nd(heads, padding).flatten(dimension, dimension + 1);
}

at::Tensor weight_of(const Weights& weights, const std::string& projection) {
  return fill_up(load_float32(weights, projection + ".weight"), 0,
                 width_of_head(weights, projection));
}

at::Tensor bias_of(const Weights& weights, const std::string& projection) {
  return fill_up(load_float32(weights, projection + ".bias"), 0,
                 width_of_head(weights, projection));
}

double query_scale(const Weights& weights, const std::string& layer) {
  return 1 / std::sqrt(static_cast<double>(width_of_head(weights, layer)));
}

}  // namespace

Linear fused_qkv(const Weights& weights, const std::string& prefix, const Placement& placement,
                 std::int64_t rows) {
  const double scale = query_scale(weights, prefix);
  const at::Tensor query = weight_of(weights, prefix + ".query") * scale;
  const at::Tensor query_bias = bias_of(weights, prefix + ".query") * scale;
  // Whisper's key projection has no bias.
  return Linear(
      at::cat({query, weight_of(weights, prefix + ".key"), weight_of(weights, prefix + ".value")}),
      at::cat({query_bias, at::zeros_like(query_bias), bias_of(weights, prefix + ".value")}),
      placement, rows);
}

Linear scaled_query(const Weights& weights, const std::string& prefix, const Placement& placement,
                    std::int64_t rows) {
  const double scale = query_scale(weights, prefix);
  return Linear(weight_of(weights, prefix + ".query") * scale,
                bias_of(weights, prefix + ".query") * scale, placement, rows);
}

Linear fused_kv(const Weights& weights, const std::string& prefix, const Placement& placement,
                std::int64_t rows) {
  const at::Tensor value_bias = bias_of(weights, prefix + ".value");
  return Linear(
      at::cat({weight_of(weights, prefix + ".key"), weight_of(weights, prefix + ".value")}),
      at::cat({at::zeros_like(value_bias), value_bias}), placement, rows);
}

Linear heads_out(const Weights& weights, const std::string& prefix, const Placement& placement,
                 std::int64_t rows) {
  const std::string layer = prefix + ".out";
  return Linear(fill_up(load_float32(weights, layer + ".weight"), 1, width_of_head(weights, layer)),
                load_float32(weights, layer + ".bias"), placement, rows);
}

std::optional<at::Tensor> optional_mask(const at::Tensor& mask) {
  return mask.defined() ? std::optional(mask) : std::nullopt;
}

at::Tensor split_heads(const at::Tensor& x) {
  return x.view({x.size(0), x.size(1), -1, head_dim}).transpose(1, 2);
}

at::Tensor merge_heads(const at::Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), -1});
}

}  // namespace engine
