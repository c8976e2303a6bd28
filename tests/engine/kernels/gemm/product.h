#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/rows.h"

namespace engine::kernels {

struct ProductShape {
  int rows;
  int n_out;
  int n_in;
};

inline constexpr float bias = 0.3F;

inline std::vector<float> random_numbers(int count, double deviation) {
  std::mt19937 generator(static_cast<unsigned>(count));
  std::normal_distribution<double> normal(0, deviation);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) number = static_cast<float>(normal(generator));
  return numbers;
}

inline bool is_bfloat16(Store store) {
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

}  // namespace engine::kernels
