#pragma once

#include <ATen/ATen.h>

#include "engine/model/compute_type.h"

namespace engine {

enum class Activation { none, gelu };

// y = activation(x·Wᵀ + b), with W packed once for the kernels of this CPU (oneDNN).
class Linear {
 public:
  Linear() = default;
  // weight [out, in] and bias [out] (or undefined), float32. `rows` is how many rows x usually has:
  // the layout of the packed weight depends on it, the result doesn't.
  Linear(const at::Tensor& weight, const at::Tensor& bias, ComputeType type, std::int64_t rows);

  // x [..., in] in the compute type; returns [..., out].
  at::Tensor operator()(const at::Tensor& x, Activation activation = Activation::none) const;

 private:
  at::Tensor weight_;
  at::Tensor bias_;
};

// Layer norm over the last dimension, eps 1e-5, computed in float32 whatever the type of x.
class LayerNorm {
 public:
  LayerNorm() = default;
  LayerNorm(at::Tensor weight, at::Tensor bias);

  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor weight_;
  at::Tensor bias_;
};

at::ScalarType scalar_type(ComputeType type);

}  // namespace engine
