#include "engine/torch/linear.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string_view>
#include <utility>

namespace engine {
namespace {

using PackWeight = at::Tensor(const at::Tensor&, std::optional<c10::SymInt>);
using LinearPointwise = at::Tensor(const at::Tensor&, const at::Tensor&,
                                   const std::optional<at::Tensor>&, std::string_view,
                                   c10::List<std::optional<at::Scalar>>,
                                   std::optional<std::string_view>);

// The three are registered by libtorch for its compiler and have no C++ declaration.
const c10::TypedOperatorHandle<PackWeight>& pack_weight() {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("mkldnn::_reorder_linear_weight", "")
                             .typed<PackWeight>();
  return op;
}

const c10::TypedOperatorHandle<LinearPointwise>& linear_pointwise() {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("mkldnn::_linear_pointwise", "")
                             .typed<LinearPointwise>();
  return op;
}

// oneDNN packs bfloat16 only for CPUs with AVX-512 or newer instructions for it.
bool has_packed_bfloat16() {
  static const bool has = c10::Dispatcher::singleton()
                              .findSchemaOrThrow("mkldnn::_is_mkldnn_bf16_supported", "")
                              .typed<bool()>()
                              .call();
  return has;
}

bool can_pack(const Placement& placement) {
  if (!placement.on_cpu() || !at::hasMKLDNN()) return false;
  return placement.type != ComputeType::bfloat16 || has_packed_bfloat16();
}

}  // namespace

Linear::Linear(const at::Tensor& weight, const at::Tensor& bias, const Placement& placement,
               std::int64_t rows)
    : weight_{place(weight, placement)} {
  if (bias.defined()) bias_ = place(bias, placement);
  if (placement.int8_weights) {
    weight_ = rounded_to_int8(weight_.values);
  } else if (can_pack(placement)) {
    weight_.values = pack_weight().call(weight_.values, c10::SymInt(rows));
  }
}

at::Tensor Linear::operator()(const at::Tensor& x, Activation activation) const {
  const std::optional<at::Tensor> bias =
      bias_.defined() ? std::optional<at::Tensor>(bias_) : std::nullopt;
  const bool gelu = activation == Activation::gelu;
  if (!weight_.values.is_mkldnn()) {
    const at::Tensor y = at::linear(x, to_numbers(weight_), bias);
    return gelu ? at::gelu(y) : y;
  }
  const c10::List<std::optional<at::Scalar>> no_scalars;
  return linear_pointwise().call(x, weight_.values, bias, gelu ? "gelu" : "none", no_scalars,
                                 gelu ? "none" : "");
}

DenseLayer Linear::dense() const {
  if (weight_.values.is_mkldnn()) return {{weight_.values.to_dense()}, bias_};
  return {weight_, bias_};
}

// The CPU's kernel takes float32 weights beside an x of any type, a GPU's only x's own type.
LayerNorm::LayerNorm(const at::Tensor& weight, const at::Tensor& bias, const Placement& placement)
    : weight_(placement.on_cpu() ? weight : place(weight, placement)),
      bias_(placement.on_cpu() ? bias : place(bias, placement)) {}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, weight_, bias_);
}

DenseLayer LayerNorm::dense(const Placement& placement) const {
  return {{place(weight_, placement)}, place(bias_, placement)};
}

}  // namespace engine
