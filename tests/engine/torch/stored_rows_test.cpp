#include "engine/torch/stored_rows.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace engine {
namespace {

class RoundedRows : public ::testing::TestWithParam<at::ScalarType> {};

TEST_P(RoundedRows, AreWithinHalfAStepOfTheirNumbers) {
  at::manual_seed(5);
  const at::Tensor x =
      (at::randn({3, 7, 64}) * at::tensor({1e-3, 1.0, 100.0}).view({3, 1, 1})).to(GetParam());
  const StoredRows rows = rounded_to_int8(x);
  EXPECT_EQ(rows.values.scalar_type(), at::kChar);
  EXPECT_EQ(rows.scales.scalar_type(), GetParam());
  EXPECT_EQ(rows.scales.sizes(), (at::IntArrayRef{3, 7}));
  const at::Tensor scales = rows.scales.to(at::kFloat).unsqueeze(-1);
  const at::Tensor steps = (to_numbers(rows).to(at::kFloat) - x.to(at::kFloat)).abs() / scales;
  // The quotients and the products are rounded to the type, too.
  EXPECT_LE(steps.max().item<float>(), GetParam() == at::kFloat ? 0.5001F : 0.7F);
  EXPECT_EQ(rows.values.abs().amax().item<std::int8_t>(), 127);
}

INSTANTIATE_TEST_SUITE_P(Types, RoundedRows, ::testing::Values(at::kFloat, at::kHalf));

TEST(RoundedRows, OfZerosAreZeros) {
  const StoredRows rows = rounded_to_int8(at::zeros({2, 64}, at::kHalf));
  EXPECT_TRUE(to_numbers(rows).equal(at::zeros({2, 64}, at::kHalf)));
}

TEST(StoredRows, PutAndSelectPartsWithTheirScales) {
  at::manual_seed(6);
  const at::Tensor x = at::randn({2, 3, 64});
  for (const bool int8 : {false, true}) {
    const StoredRows store{at::zeros({4, 3, 64}, int8 ? at::kChar : at::kFloat),
                           int8 ? at::zeros({4, 3}) : at::Tensor()};
    const at::Tensor places = at::tensor(std::vector<std::int64_t>{3, 1}, at::kLong);
    store.put(0, places, x);
    const at::Tensor expected = int8 ? to_numbers(rounded_to_int8(x)) : x;
    EXPECT_TRUE(to_numbers(store.index_select(0, places)).equal(expected));
    EXPECT_TRUE(to_numbers(store.select(0, 1)).equal(expected[1]));
    EXPECT_TRUE(to_numbers(store.select(0, 0)).equal(at::zeros({3, 64})));
    EXPECT_TRUE(to_numbers(store.narrow(1, 1, 2).select(0, 1)).equal(expected[1].narrow(0, 1, 2)));
    store.narrow(1, 1, 2).clear(0, places);
    EXPECT_TRUE(to_numbers(store.select(0, 1).narrow(0, 1, 2)).equal(at::zeros({2, 64})));
    EXPECT_TRUE(to_numbers(store.select(0, 1).narrow(0, 0, 1)).equal(expected[1].narrow(0, 0, 1)));
  }
}

}  // namespace
}  // namespace engine
