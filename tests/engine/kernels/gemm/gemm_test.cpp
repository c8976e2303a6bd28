#include "engine/kernels/gemm/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/kernels.h"
#include "tests/engine/kernels/gemm/product.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

// The shapes are whole tiles, parts of tiles, few rows, outputs that do not fill their last panel,
// and more inputs than a layer of Whisper has.
constexpr ProductShape shapes[] = {{1, 64, 64},   {6, 128, 512}, {13, 192, 240}, {7, 100, 384},
                                   {40, 64, 512}, {2, 128, 64},  {3, 64, 128},   {4, 64, 72},
                                   {5, 100, 64},  {8, 64, 64},   {7, 64, 5128}};
constexpr Store stores[] = {Store::float32,    Store::add,      Store::gelu,
                            Store::exact_gelu, Store::bfloat16, Store::gelu_bfloat16};

TEST(Gemm, Int8IsNearTheExactProductInEveryVariant) {
  for (const Isa isa : isas_of_this_cpu()) {
    for (const ProductShape& shape : shapes) {
      for (const Store store : stores) {
        Product product(shape);
        product.multiply_int8(isa, store);
        EXPECT_LT(product.largest_error(store), 0.06) << name(isa) << ' ' << shape.n_in;
      }
    }
  }
}

// Sums of bytes are exact, so what is made of them is the same to the bit for all kernels that
// finish them in vectors of one size, and any number of rows, inputs and outputs.
TEST(Gemm, Int8IsTheSameForAllKernelsOfOneWidth) {
  const std::pair<Isa, Isa> twins[] = {{Isa::avx_vnni, Isa::avx2},
                                       {Isa::avx512_bf16, Isa::avx512_vnni},
                                       {Isa::amx, Isa::avx512_vnni},
                                       {Isa::neon_dotprod, Isa::neon},
                                       {Isa::neon_i8mm, Isa::neon}};
  const std::pair<int, int> sizes[] = {{8, 64},    {56, 100}, {64, 192}, {72, 64},
                                       {128, 100}, {240, 64}, {512, 192}};
  const std::vector<Isa> isas = isas_of_this_cpu();
  const auto is_here = [&](Isa isa) { return std::ranges::find(isas, isa) != isas.end(); };
  for (const int rows : {0, 1, 4, 5, 7, 8, 12, 13, 16, 17, 31, 32, 33, 48, 50, 100}) {
    for (const auto& [n_in, n_out] : sizes) {
      for (const Store store : stores) {
        for (const auto& [isa, twin] : twins) {
          if (!is_here(isa) || !is_here(twin)) continue;
          Product expected({rows, n_out, n_in});
          expected.multiply_int8(twin, store);
          Product product({rows, n_out, n_in});
          product.multiply_int8(isa, store);
          ASSERT_TRUE(product.same_as(expected))
              << name(isa) << ' ' << rows << ' ' << n_in << ' ' << n_out;
        }
      }
    }
  }
}

TEST(Gemm, Bfloat16IsNearTheExactProductInEveryVariant) {
  for (const Isa isa : isas_of_this_cpu()) {
    for (const ProductShape& shape : shapes) {
      for (const Store store : stores) {
        Product product(shape);
        product.multiply_bfloat16(isa, store);
        EXPECT_LT(product.largest_error(store), 0.02) << name(isa) << ' ' << shape.n_in;
      }
    }
  }
}

// Matrix instructions add products of bfloat16 in float32, in another order than others: within
// 2^-20 of the sum of their sizes.
TEST(Gemm, Bfloat16OfMatrixInstructionsIsThatOfVectorsWithinTheRoundingOfASum) {
  const Isa last = own_isas.back();
  const Isa vectors = last == Isa::amx ? Isa::avx512_bf16 : Isa::neon;
  const std::vector<Isa> isas = isas_of_this_cpu();
  if (std::ranges::find(isas, last) == isas.end()) GTEST_SKIP() << "needs AMX or I8MM";
  for (const int rows : {0, 1, 2, 5, 15, 16, 17, 32, 48, 50}) {
    for (const int n_in : {8, 10, 24, 26, 32, 40, 128, 240, 512}) {
      Product product({rows, 100, n_in});
      product.multiply_bfloat16(last, Store::float32);
      Product expected({rows, 100, n_in});
      expected.multiply_bfloat16(vectors, Store::float32);
      for (int row = 0; row < rows; ++row) {
        for (int n = 0; n < 100; ++n) {
          ASSERT_NEAR(product.output(row, n), expected.output(row, n),
                      std::ldexp(product.size(row, n), -20))
              << rows << ' ' << n_in << ' ' << row << ' ' << n;
        }
      }
    }
  }
}

TEST(Gemm, Float32IsTheProductInEveryVariant) {
  for (const Isa isa : isas_of_this_cpu()) {
    for (const ProductShape& shape : shapes) {
      for (const Store store : stores) {
        Product product(shape);
        product.multiply_float32(isa, store);
        EXPECT_LT(product.largest_error(store), is_bfloat16(store) ? 0.02 : 1e-4)
            << name(isa) << ' ' << shape.n_in;
      }
    }
  }
}

TEST(Gemm, Float16HasTheBitsOfFloat32) {
  for (const Isa isa : isas_of_this_cpu()) {
    for (const ProductShape& shape : shapes) {
      for (const Store store : stores) {
        Product product(shape), expected(shape);
        product.shorten_weights();
        product.multiply_float16(isa, store, 0.5F);
        expected.shorten_weights();
        expected.halve_even_outputs();
        expected.multiply_float32(isa, store);
        EXPECT_TRUE(product.same_as(expected)) << name(isa) << ' ' << shape.rows;
      }
    }
  }
}

// It is within 2e-7 of the larger of 1 and |x|, as float32's own erf is.
TEST(Gemm, ExactGeluIsAsExactAsFloat32) {
  AlignedVector<float> one(64);
  one[0] = 1;
  for (const Isa isa : isas_of_this_cpu()) {
    for (float x = -12; x < 12; x += 0.0137F) {
      float out[64];
      kernels_for(isa).gemm_float32({&x, 1}, 1, {1, 64, one.data(), nullptr}, {0, 1},
                                    {Store::exact_gelu, out, 64});
      const double exact = double(x) * std::erfc(-double(x) / std::sqrt(2.0)) / 2;
      ASSERT_NEAR(double(out[0]), exact, 2e-7 * std::max(1.0, std::abs(double(x))))
          << name(isa) << ' ' << x;
      ASSERT_EQ(out[1], 0) << "without a bias";
    }
  }
}

// Intel's CPUs take a hundred times as long for a product with a number that is not normal, and
// most numbers behind a GELU can be that small.
TEST(Gemm, ExactGeluOfLargeNegativesIsNormal) {
  AlignedVector<float> one(64);
  one[0] = 1;
  for (const Isa isa : isas_of_this_cpu()) {
    for (float x = -100; x < -10; x += 0.0137F) {
      float out[64];
      kernels_for(isa).gemm_float32({&x, 1}, 1, {1, 64, one.data(), nullptr}, {0, 1},
                                    {Store::exact_gelu, out, 64});
      ASSERT_NE(std::fpclassify(out[0]), FP_SUBNORMAL) << name(isa) << ' ' << x;
    }
  }
}

// Decoding relies on it, and a recurrent network: rows are grouped in any way.
TEST(Gemm, ARowIsTheSameWhateverIsBesideIt) {
  using Multiply = void (Product::*)(Isa, Store);
  constexpr Multiply types[] = {&Product::multiply_float32, &Product::multiply_float16,
                                &Product::multiply_bfloat16, &Product::multiply_int8};
  for (const Isa isa : isas_of_this_cpu()) {
    for (const Multiply multiply : types) {
      Product many({13, 192, 240});
      Product one({1, 192, 240});
      for (int k = 0; k < 240; ++k) {
        for (int row = 0; row < 13; ++row)
          many.set(row, k, 0.1F * static_cast<float>(row + k % 17));
        one.set(0, k, 0.1F * static_cast<float>(8 + k % 17));
      }
      (many.*multiply)(isa, Store::float32);
      (one.*multiply)(isa, Store::float32);
      EXPECT_TRUE(
          std::equal(one.outputs().begin(), one.outputs().end(), many.outputs().begin() + 8 * 192))
          << name(isa);
    }
  }
}

// A number that is none in a row of activations is in all its products, and in no other row's.
TEST(Gemm, NoVariantMakesNumbersOfWhatIsNone) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const ProductShape& shape = shapes[2];
  for (const Isa isa : isas_of_this_cpu()) {
    for (const Store store : stores) {
      for (const float broken : {nan, -nan, infinity, -infinity}) {
        for (const bool bfloat16 : {false, true}) {
          Product product(shape);
          product.set(6, 17, broken);
          bfloat16 ? product.multiply_bfloat16(isa, store) : product.multiply_int8(isa, store);
          for (int row = 0; row < shape.rows; ++row) {
            for (int n = 0; n < shape.n_out; ++n) {
              // GELU of minus infinity is 0.
              if (bfloat16 && row == 6 && std::isinf(broken)) continue;
              ASSERT_EQ(product.is_number(store, row, n), row != 6)
                  << name(isa) << ' ' << broken << ' ' << row << ' ' << n;
            }
          }
        }
      }
    }
  }
}

// Rounding up could carry over the end of a NaN.
TEST(Gemm, EveryNanIsOneInBfloat16Too) {
  const auto all_ones = std::bit_cast<float>(0xFFFFFFFF);
  const auto positive = std::bit_cast<float>(0x7FFFFFFF);
  for (const float nan : {all_ones, positive}) {
    EXPECT_TRUE(std::isnan(to_float(to_bfloat16(nan))));
    for (const Isa isa : isas_of_this_cpu()) {
      for (const Store store : stores) {
        Product product(shapes[1]);
        product.set_bias(70, nan);
        product.multiply_int8(isa, store);
        EXPECT_FALSE(product.is_number(store, 5, 70)) << name(isa);
        EXPECT_TRUE(product.is_number(store, 5, 71)) << name(isa);
      }
    }
  }
}

TEST(Gemm, OutputsNextToZeroArePackedAsZero) {
  const std::vector<float> weight(64, 1e-37F);  // 127 / 1e-37 is infinite
  AlignedVector<std::int8_t> packed(64 * 64);
  std::vector<float> scale(64, 7.0F);
  std::vector<float> sum(64, 7.0F);
  pack_int8(weight, 1, 64, packed.data(), scale.data(), sum.data());
  EXPECT_EQ(scale[0], 0.0F);
  EXPECT_EQ(sum[0], 0.0F);
}

TEST(Gemm, WritesOnlyThePanelsItWasAskedFor) {
  AlignedVector<std::int8_t> packed(std::size_t{192} * 64);
  const std::vector<float> ones(192, 1.0F);
  const std::vector<std::uint8_t> x(64);
  const std::vector<float> zero(1);
  for (const Isa isa : isas_of_this_cpu()) {
    std::vector<float> out(192, 7.0F);
    kernels_for(isa).gemm_int8({x.data(), ones.data(), zero.data()}, 1,
                               {64, 192, packed.data(), ones.data(), ones.data(), ones.data()},
                               {1, 2}, {Store::float32, out.data(), 192});
    EXPECT_EQ(out[63], 7.0F);
    EXPECT_EQ(out[64], 1.0F);
    EXPECT_EQ(out[127], 1.0F);
    EXPECT_EQ(out[128], 7.0F);
  }
}

}  // namespace
}  // namespace engine::kernels
