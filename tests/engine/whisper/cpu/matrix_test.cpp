#include "engine/whisper/cpu/matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/whisper/cpu/block_writer.h"
#include "engine/whisper/cpu/row_block.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/cpu/plain_whisper.h"

namespace engine::cpu {
namespace {

constexpr int n_out = 70;  // not whole panels
constexpr int n_in = 64;
constexpr int n_rows = 7;

class MatrixTest : public testing::TestWithParam<MatrixType> {
 protected:
  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
    WeightsContent content;
    content.tensors["layer"] = {
        DType::f32, {n_out, n_in}, std::as_bytes(std::span(weight_.data)), {}};
    const Weights weights({}, std::move(content));
    BlockWriter writer(memory_.data(), &weights);
    matrix_ = writer.matrix("layer", n_out, n_in, {}, GetParam());
  }
  static double allowed() {
    if (GetParam() == MatrixType::float32) return 1e-6;
    return GetParam() == MatrixType::bfloat16 ? 0.01 : 0.02;
  }

  Floats weight_ = random_rows(n_out, n_in, 1, 1);
  kernels::AlignedVector<std::byte> memory_ = kernels::AlignedVector<std::byte>(1 << 16);
  Matrix matrix_{};
};

INSTANTIATE_TEST_SUITE_P(Types, MatrixTest,
                         testing::Values(MatrixType::float32, MatrixType::bfloat16,
                                         MatrixType::int8),
                         [](const auto& type) { return name(type.param); });

TEST_P(MatrixTest, MultipliesRowsThatWereBroughtToItsType) {
  const Floats x = random_rows(n_rows, n_in, 1, 2);
  Floats expected(n_rows, n_out);
  for (int row = 0; row < n_rows; ++row) {
    for (int n = 0; n < n_out; ++n) {
      double sum = 0;
      for (int k = 0; k < n_in; ++k) sum += double(x.row(row)[k]) * double(weight_.row(n)[k]);
      expected.row(row)[n] = static_cast<float>(sum);
    }
  }
  EXPECT_EQ(outputs(matrix_), 128);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    RowBlock block(n_in, n_in);
    kernels::AlignedVector<float> out(area(n_rows, outputs(matrix_)));
    multiply(kernels::kernels_for(isa), block.prepare(x.data.data(), n_rows, n_in, n_in, matrix_),
             n_rows, matrix_, all_panels(matrix_), {kernels::Store::float32, out.data(), 128});
    Floats found(n_rows, n_out);
    for (int row = 0; row < n_rows; ++row) {
      std::copy_n(&out[area(row, 128)], n_out, found.row(row));
    }
    EXPECT_LT(difference(found, expected), allowed()) << kernels::name(isa);
  }
}

TEST_P(MatrixTest, GeluBehindFloat32IsExact) {
  EXPECT_EQ(gelu_behind(matrix_) == kernels::Store::exact_gelu, GetParam() == MatrixType::float32);
}

}  // namespace
}  // namespace engine::cpu
