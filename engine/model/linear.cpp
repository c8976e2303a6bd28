#include "engine/model/linear.h"

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

// Both are registered by libtorch for its compiler and have no C++ declaration.
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

}  // namespace

at::ScalarType scalar_type(ComputeType type) {
  return type == ComputeType::bfloat16 ? at::kBFloat16 : at::kFloat;
}

Linear::Linear(const at::Tensor& weight, const at::Tensor& bias, ComputeType type,
               std::int64_t rows)
    : weight_(weight.to(scalar_type(type))) {
  if (bias.defined()) bias_ = bias.to(scalar_type(type));
  if (at::hasMKLDNN()) weight_ = pack_weight().call(weight_, c10::SymInt(rows));
}

at::Tensor Linear::operator()(const at::Tensor& x, Activation activation) const {
  const std::optional<at::Tensor> bias =
      bias_.defined() ? std::optional<at::Tensor>(bias_) : std::nullopt;
  const bool gelu = activation == Activation::gelu;
  if (!weight_.is_mkldnn()) {
    const at::Tensor y = at::linear(x, weight_, bias);
    return gelu ? at::gelu(y) : y;
  }
  const c10::List<std::optional<at::Scalar>> no_scalars;
  return linear_pointwise().call(x, weight_, bias, gelu ? "gelu" : "none", no_scalars,
                                 gelu ? "none" : "");
}

LayerNorm::LayerNorm(at::Tensor weight, at::Tensor bias)
    : weight_(std::move(weight)), bias_(std::move(bias)) {}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, weight_, bias_);
}

}  // namespace engine
