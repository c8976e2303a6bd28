#include "engine/kernels/gemm/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/rows.h"
#include "tests/engine/kernels/isas.h"

namespace engine::kernels {
namespace {

struct ProductShape {
  int rows;
  int n_out;
  int n_in;
};

// The shapes are whole tiles, parts of tiles, few rows, outputs that do not fill their last panel,
// and more inputs than a layer of Whisper has.
constexpr ProductShape shapes[] = {{1, 64, 64},    {6, 128, 512}, {13, 192, 240}, {7, 100, 384},
                                   {40, 64, 512},  {2, 128, 64},  {3, 64, 128},   {4, 64, 72},
                                   {5, 100, 64},   {8, 64, 64},   {7, 64, 5128}};
constexpr Store stores[] = {Store::float32,    Store::add,      Store::gelu,
                            Store::exact_gelu, Store::bfloat16, Store::gelu_bfloat16};
constexpr float bias = 0.3F;

std::vector<float> random_numbers(int count, double deviation) {
  std::mt19937 generator(static_cast<unsigned>(count));
  std::normal_distribution<double> normal(0, deviation);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) number = static_cast<float>(normal(generator));
  return numbers;
}

bool is_bfloat16(Store store) {
  return store == Store::bfloat16 || store == Store::gelu_bfloat16;
}

// One product and what it has to be.
class Product {
 public:
  explicit Product(const ProductShape& shape)
      : shape_(shape),
        width_(padded_outputs(shape.n_out)),
        weight_(random_numbers(shape.n_out * shape.n_in, 1 / std::sqrt(shape.n_in))),
        x_(random_numbers(shape.rows * shape.n_in, 1)),
        bias_(static_cast<std::size_t>(width_), bias),
        floats_(static_cast<std::size_t>(shape.rows * width_), 1.0F),
        halves_(floats_.size()) {}

  Output output(Store store) {
    if (is_bfloat16(store)) return {store, halves_.data(), width_};
    return {store, floats_.data(), width_};
  }
  Panels panels() const { return {0, width_ / panel_width}; }

  void multiply_int8(Isa isa, Store store) {
    const auto rows = static_cast<std::size_t>(shape_.rows);
    const auto width = static_cast<std::size_t>(width_);
    AlignedVector<std::int8_t> packed(width * static_cast<std::size_t>(shape_.n_in));
    std::vector<float> scale(width);
    std::vector<float> sum(width);
    pack_int8(weight_, shape_.n_out, shape_.n_in, packed.data(), scale.data(), sum.data());
    std::vector<std::uint8_t> q(x_.size());
    std::vector<float> row_scale(rows);
    std::vector<float> row_zero(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t at = row * static_cast<std::size_t>(shape_.n_in);
      quantize(&x_[at], shape_.n_in, &q[at], &row_scale[row], &row_zero[row]);
    }
    kernels_for(isa).gemm_int8(
        {q.data(), row_scale.data(), row_zero.data()}, shape_.rows,
        {shape_.n_in, width_, packed.data(), scale.data(), sum.data(), bias_.data()}, panels(),
        output(store));
  }

  void multiply_bfloat16(Isa isa, Store store) {
    AlignedVector<std::uint16_t> packed(static_cast<std::size_t>(width_ * shape_.n_in));
    pack_bfloat16(weight_, shape_.n_out, shape_.n_in, packed.data());
    std::vector<std::uint16_t> x;
    for (const float value : x_) x.push_back(to_bfloat16(value));
    kernels_for(isa).gemm_bfloat16({x.data(), shape_.n_in}, shape_.rows,
                                   {shape_.n_in, width_, packed.data(), bias_.data()}, panels(),
                                   output(store));
  }

  void multiply_float32(Isa isa, Store store) {
    AlignedVector<float> packed(static_cast<std::size_t>(width_ * shape_.n_in));
    pack_float32(weight_, shape_.n_out, shape_.n_in, packed.data());
    kernels_for(isa).gemm_float32({x_.data(), shape_.n_in}, shape_.rows,
                                  {shape_.n_in, width_, packed.data(), bias_.data()}, panels(),
                                  output(store));
  }
  // Has only weights that float16 has.
  void shorten_weights() {
    for (float& w : weight_) {
      w = std::bit_cast<float>(std::bit_cast<std::uint32_t>(w) & 0xFFFFE000);
      if (std::abs(w) < 0x1p-14F) w = 0;
    }
  }
  // Halves the weights of every second output.
  void halve_even_outputs() {
    for (int n = 0; n < shape_.n_out; n += 2) {
      for (int k = 0; k < shape_.n_in; ++k) {
        weight_[static_cast<std::size_t>(n * shape_.n_in + k)] *= 0.5F;
      }
    }
  }
  void multiply_float16(Isa isa, Store store) { multiply_float16(isa, store, 1); }
  void multiply_float16(Isa isa, Store store, float scale_of_even_outputs) {
    AlignedVector<Float16> packed(static_cast<std::size_t>(width_ * shape_.n_in));
    pack_float16(weight_, shape_.n_out, shape_.n_in, packed.data());
    std::vector<float> scale(static_cast<std::size_t>(width_), 1.0F);
    for (std::size_t n = 0; n < scale.size(); n += 2) scale[n] = scale_of_even_outputs;
    kernels_for(isa).gemm_float16({x_.data(), shape_.n_in}, shape_.rows,
                                  {shape_.n_in, width_, packed.data(), scale.data(), bias_.data()},
                                  panels(), output(store));
  }
  const std::vector<float>& outputs() const { return floats_; }
  double output(int row, int n) const {
    return floats_[static_cast<std::size_t>(row * width_ + n)];
  }
  // Returns the sum of the sizes of what is added up for an output.
  double size(int row, int n) const {
    double sum = bias;
    for (int k = 0; k < shape_.n_in; ++k) {
      sum += std::abs(static_cast<double>(x_[static_cast<std::size_t>(row * shape_.n_in + k)]) *
                      weight_[static_cast<std::size_t>(n * shape_.n_in + k)]);
    }
    return sum;
  }
  bool same_as(const Product& other) const {
    return std::memcmp(floats_.data(), other.floats_.data(), floats_.size() * sizeof(float)) == 0 &&
           halves_ == other.halves_;
  }

  void set(int row, int k, float value) {
    x_[static_cast<std::size_t>(row * shape_.n_in + k)] = value;
  }
  void set_bias(int n, float value) { bias_[static_cast<std::size_t>(n)] = value; }
  bool is_number(Store store, int row, int n) const {
    const auto at = static_cast<std::size_t>(row * width_ + n);
    return std::isfinite(is_bfloat16(store) ? to_float(halves_[at]) : floats_[at]);
  }

  double largest_error(Store store) const {
    double largest = 0;
    for (int row = 0; row < shape_.rows; ++row) {
      for (int n = 0; n < shape_.n_out; ++n) {
        const auto at = static_cast<std::size_t>(row * width_ + n);
        const double found = is_bfloat16(store) ? to_float(halves_[at]) : floats_[at];
        largest = std::max(largest, std::abs(found - expected(store, row, n)));
      }
    }
    return largest;
  }

 private:
  double expected(Store store, int row, int n) const {
    double y = bias;
    for (int k = 0; k < shape_.n_in; ++k) {
      y += static_cast<double>(x_[static_cast<std::size_t>(row * shape_.n_in + k)]) *
           weight_[static_cast<std::size_t>(n * shape_.n_in + k)];
    }
    if (store == Store::add) return y + 1;
    if (store == Store::gelu || store == Store::exact_gelu || store == Store::gelu_bfloat16) {
      return y * std::erfc(-y / std::sqrt(2)) / 2;
    }
    return y;
  }

  ProductShape shape_;
  int width_;
  std::vector<float> weight_;
  std::vector<float> x_;
  std::vector<float> bias_;
  std::vector<float> floats_;
  std::vector<std::uint16_t> halves_;
};

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
  const std::vector<Isa> isas = isas_of_this_cpu();
  const auto is_here = [&](Isa isa) { return std::ranges::find(isas, isa) != isas.end(); };
  for (const int rows : {1, 4, 5, 7, 15, 16, 17, 31, 32, 33, 48, 50, 100}) {
    for (const int n_in : {8, 56, 64, 72, 128, 240, 512}) {
      for (const int n_out : {64, 100, 192}) {
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
  for (const int rows : {1, 2, 5, 15, 16, 17, 32, 48, 50}) {
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
