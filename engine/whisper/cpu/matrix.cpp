#include "engine/whisper/cpu/matrix.h"

namespace engine::cpu {

const char* name(MatrixType type) {
  switch (type) {
    case MatrixType::float32:
      return "float32";
    case MatrixType::float16:
      return "float16";
    case MatrixType::bfloat16:
      return "bfloat16";
    case MatrixType::int8:
      return "int8";
  }
  return "unknown";
}

bool takes_float32(const Matrix& weight) {
  return std::holds_alternative<kernels::Float32Matrix>(weight) ||
         std::holds_alternative<kernels::Float16Matrix>(weight);
}

int outputs(const Matrix& weight) {
  return std::visit([](const auto& matrix) { return matrix.n_out; }, weight);
}

kernels::Panels all_panels(const Matrix& weight) {
  return {0, outputs(weight) / kernels::panel_width};
}

void multiply(const kernels::Kernels& kernels, const Rows& x, int rows, const Matrix& weight,
              kernels::Panels panels, const kernels::Output& out) {
  if (const auto* int8 = std::get_if<kernels::Int8Matrix>(&weight)) {
    kernels.gemm_int8(std::get<kernels::Int8Rows>(x), rows, *int8, panels, out);
  } else if (const auto* bfloat16 = std::get_if<kernels::Bfloat16Matrix>(&weight)) {
    kernels.gemm_bfloat16(std::get<kernels::Bfloat16Rows>(x), rows, *bfloat16, panels, out);
  } else if (const auto* float16 = std::get_if<kernels::Float16Matrix>(&weight)) {
    kernels.gemm_float16(std::get<kernels::Float32Rows>(x), rows, *float16, panels, out);
  } else {
    kernels.gemm_float32(std::get<kernels::Float32Rows>(x), rows,
                         std::get<kernels::Float32Matrix>(weight), panels, out);
  }
}

kernels::Store gelu_behind(const Matrix& weight) {
  return takes_float32(weight) ? kernels::Store::exact_gelu : kernels::Store::gelu;
}

}  // namespace engine::cpu
