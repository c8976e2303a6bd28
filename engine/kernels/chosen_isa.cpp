#include "engine/kernels/chosen_isa.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "platform/cpu.h"

namespace engine::kernels {
namespace {

// Two tiles of rows, of which the second is not full, and a row of inputs that ends within one.
constexpr int rows = 21;
constexpr int n_in = 80;
constexpr int n_out = panel_width;
using Products = std::array<float, std::size_t{rows} * n_out>;

// Returns whole numbers between -50 and 50 in no order.
int number(std::size_t i) {
  return static_cast<int>(i * 7919 % 101) - 50;
}

Products multiply_int8(const Kernels& kernels) {
  AlignedVector<std::int8_t> weight(std::size_t{n_out} * n_in);
  AlignedVector<std::uint8_t> x(std::size_t{rows} * n_in);
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<std::int8_t>(number(i));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(200 + number(i));
  const AlignedVector<float> ones(n_out, 1);
  const AlignedVector<float> zeros(n_out);
  Products products;
  kernels.gemm_int8({x.data(), ones.data(), zeros.data()}, rows,
                    {n_in, n_out, weight.data(), ones.data(), zeros.data(), zeros.data()}, {0, 1},
                    {Store::float32, products.data(), n_out});
  return products;
}

Products multiply_bfloat16(const Kernels& kernels) {
  AlignedVector<Bfloat16> weight(std::size_t{n_out} * n_in);
  AlignedVector<Bfloat16> x(std::size_t{rows} * n_in);
  const auto fraction = [](std::size_t i) { return static_cast<float>(number(i)) / 37; };
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = to_bfloat16(fraction(i));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = to_bfloat16(fraction(i + 1));
  const AlignedVector<float> zeros(n_out);
  Products products;
  kernels.gemm_bfloat16({x.data(), n_in}, rows, {n_in, n_out, weight.data(), zeros.data()}, {0, 1},
                        {Store::float32, products.data(), n_out});
  return products;
}

}  // namespace

bool agree(const Kernels& kernels, const Kernels& others) {
  if (multiply_int8(kernels) != multiply_int8(others)) return false;
  constexpr float rounding = 1e-4F;  // of sums over 80 products of up to 1.8
  const Products products = multiply_bfloat16(kernels);
  const Products expected = multiply_bfloat16(others);
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (!(std::abs(products[i] - expected[i]) <= rounding)) return false;
  }
  return true;
}

std::optional<Isa> isa_of_this_cpu() {
  const auto best = best_isa(platform::probe_cpu());
  if (best == Isa::amx && !agree(kernels_for(Isa::amx), kernels_for(Isa::avx512_bf16))) {
    return Isa::avx512_bf16;
  }
  if (best == Isa::neon_i8mm && !agree(kernels_for(Isa::neon_i8mm), kernels_for(Isa::neon))) {
    return Isa::neon_dotprod;
  }
  return best;
}

}  // namespace engine::kernels
