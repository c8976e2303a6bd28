#pragma once

#include <ATen/ATen.h>

#include "engine/torch/placement.h"
#include "engine/torch/stored_rows.h"

namespace engine {

// A layer's numbers, dense and in the compute type or in int8, for kernels that read them
// themselves.
struct DenseLayer {
  StoredRows weight;
  at::Tensor bias;  // undefined: none
};

enum class Activation { none, gelu };

// Computes y = activation(x·Wᵀ + b), on a CPU with W packed once for its kernels (oneDNN). Where
// the placement has int8 weights, W is kept in int8 and brought to the compute type for each
// product.
class Linear {
 public:
  Linear() = default;
  // weight [out, in] and bias [out] (or undefined), float32 or already in place. `rows` is how many
  // rows x usually has: the layout of the packed weight depends on it, the result doesn't.
  Linear(const at::Tensor& weight, const at::Tensor& bias, const Placement& placement,
         std::int64_t rows);

  // x [..., in] in the compute type, on the device; returns [..., out].
  at::Tensor operator()(const at::Tensor& x, Activation activation = Activation::none) const;

  // Returns its own tensors; on a CPU the weight is a copy, as its own is packed.
  DenseLayer dense() const;

 private:
  StoredRows weight_;
  at::Tensor bias_;
};

// Computes the layer norm over the last dimension, eps 1e-5, in float32 whatever the type of x.
class LayerNorm {
 public:
  LayerNorm() = default;
  // weight and bias float32
  LayerNorm(const at::Tensor& weight, const at::Tensor& bias, const Placement& placement);

  at::Tensor operator()(const at::Tensor& x) const;

  // Returns its own tensors, not in int8; on a CPU copies, where its own are of another type.
  DenseLayer dense(const Placement& placement) const;

 private:
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace engine
