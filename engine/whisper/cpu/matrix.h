#pragma once

#include <variant>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/kernels.h"

namespace engine::cpu {

// How the numbers of a model's linear layers are kept and multiplied. float16 is another way to
// keep what is multiplied in float32, for models whose numbers float16 has: the products are the
// same.
enum class MatrixType { float32, float16, bfloat16, int8 };

// Returns "float32", …
const char* name(MatrixType type);

// Says whether nothing is rounded.
constexpr bool is_exact(MatrixType type) {
  return type == MatrixType::float32 || type == MatrixType::float16;
}

// The weight of a linear layer, and rows on their way into one, each in a type of its own.
using Matrix = std::variant<kernels::Float32Matrix, kernels::Float16Matrix, kernels::Bfloat16Matrix,
                            kernels::Int8Matrix>;
using Rows = std::variant<kernels::Float32Rows, kernels::Bfloat16Rows, kernels::Int8Rows>;

// Says whether rows are multiplied as they are.
bool takes_float32(const Matrix& weight);

// Returns the outputs of a layer, in whole panels.
int outputs(const Matrix& weight);
kernels::Panels all_panels(const Matrix& weight);

// Multiplies rows that are of the weight's type.
void multiply(const kernels::Kernels& kernels, const Rows& x, int rows, const Matrix& weight,
              kernels::Panels panels, const kernels::Output& out);

// Returns how GELU is computed behind such a weight.
kernels::Store gelu_behind(const Matrix& weight);

}  // namespace engine::cpu
