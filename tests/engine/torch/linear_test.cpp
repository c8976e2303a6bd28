#include "engine/torch/linear.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

class LinearTest : public ::testing::TestWithParam<std::int64_t> {};

// The packed layout is made for one number of rows and must be right for every other.
TEST_P(LinearTest, EqualsTheUnpackedProductWhateverTheRows) {
  at::manual_seed(1);
  const at::Tensor weight = at::randn({192, 128});
  const at::Tensor bias = at::randn({192});
  const at::Tensor x = at::randn({GetParam(), 128});
  const at::Tensor expected = at::linear(x, weight, bias);
  for (const std::int64_t packed_for : {1, 5, 1500}) {
    const Linear linear(weight, bias, Placement{}, packed_for);
    EXPECT_TRUE(at::allclose(linear(x), expected, 1e-5, 1e-4));
    EXPECT_TRUE(at::allclose(linear(x, Activation::gelu), at::gelu(expected), 1e-5, 1e-4));
  }
}

TEST_P(LinearTest, Bfloat16StaysNearFloat32) {
  at::manual_seed(2);
  const at::Tensor weight = at::randn({64, 128}) / 11;
  const at::Tensor x = at::randn({GetParam(), 128});
  const Linear linear(weight, at::Tensor(), {at::kCPU, ComputeType::bfloat16}, 5);
  const at::Tensor y = linear(x.to(at::kBFloat16));
  EXPECT_EQ(y.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(at::allclose(y.to(at::kFloat), at::linear(x, weight), 0.05, 0.05));
}

TEST_P(LinearTest, Int8WeightsAreTheWeightRoundedRowByRow) {
  at::manual_seed(4);
  const at::Tensor weight = at::randn({64, 128});
  const at::Tensor bias = at::randn({64});
  const at::Tensor x = at::randn({GetParam(), 128});
  const Linear linear(weight, bias, {at::kCPU, ComputeType::float32, /*int8_weights=*/true}, 5);
  const StoredRows kept = linear.dense().weight;
  ASSERT_TRUE(kept.is_int8());
  EXPECT_TRUE(at::allclose(linear(x), at::linear(x, to_numbers(kept), bias), 1e-5, 1e-4));
  const at::Tensor expected = at::linear(x, weight, bias);
  EXPECT_LT((linear(x) - expected).norm().item<double>(), 0.02 * expected.norm().item<double>());
}

TEST(DenseLayer, HasTheWeightAsItWas) {
  const at::Tensor weight = at::randn({192, 128});
  const at::Tensor bias = at::randn({192});
  const DenseLayer dense = Linear(weight, bias, Placement{}, 5).dense();
  EXPECT_TRUE(dense.weight.values.equal(weight));
  EXPECT_TRUE(dense.weight.values.is_contiguous());
  EXPECT_TRUE(dense.bias.equal(bias));
  const Placement half{at::kCPU, ComputeType::bfloat16};
  EXPECT_EQ(LayerNorm(bias, bias, half).dense(half).weight.values.scalar_type(), at::kBFloat16);
}

INSTANTIATE_TEST_SUITE_P(Rows, LinearTest, ::testing::Values(1, 2, 5, 17, 300));

TEST(LayerNormTest, ComputesInFloat32AndKeepsTheType) {
  at::manual_seed(3);
  const at::Tensor x = at::randn({3, 64}) * 100;
  const LayerNorm norm(at::full({64}, 2.0), at::full({64}, 1.0), {at::kCPU, ComputeType::bfloat16});
  const at::Tensor expected =
      (x - x.mean(-1, true)) / at::sqrt(x.var(-1, false, true) + 1e-5) * 2 + 1;
  EXPECT_TRUE(at::allclose(norm(x), expected, 1e-4, 1e-4));
  EXPECT_EQ(norm(x.to(at::kBFloat16)).scalar_type(), at::kBFloat16);
}

}  // namespace
}  // namespace engine
