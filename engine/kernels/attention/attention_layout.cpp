#include "engine/kernels/attention/attention_layout.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace engine::kernels {
namespace {

constexpr std::array<Bfloat16, head_dim> zeros{};

using Eight = Bfloat16 __attribute__((vector_size(16)));

Eight load(const Bfloat16* from) {
  Eight eight;
  std::memcpy(&eight, from, sizeof(eight));
  return eight;
}

const Bfloat16* row_or_zeros(const HeadRows& rows, int i) {
  return i < rows.count ? rows.row(i) : zeros.data();
}

}  // namespace

void pack_keys(const HeadRows& keys, int first, int last, std::byte* packed) {
  constexpr int pairs = head_dim / 2;
  for (int block = first; block < last; ++block) {
    std::array<std::uint32_t, static_cast<std::size_t>(pairs) * key_lanes> out;
    for (int lane = 0; lane < key_lanes; ++lane) {
      std::array<std::uint32_t, pairs> row;
      std::memcpy(row.data(), row_or_zeros(keys, block * key_lanes + lane), sizeof(row));
      for (int i = 0; i < pairs; ++i) {
        out[static_cast<std::size_t>(i * key_lanes + lane)] = row[static_cast<std::size_t>(i)];
      }
    }
    std::memcpy(packed + static_cast<std::size_t>(block) * sizeof(out), out.data(), sizeof(out));
  }
}

void pack_values(const HeadRows& values, int first, int last, std::byte* packed) {
  for (int key = first * key_lanes; key < last * key_lanes; key += 2) {
    const Bfloat16* even = row_or_zeros(values, key);
    const Bfloat16* odd = row_or_zeros(values, key + 1);
    auto* out = reinterpret_cast<Bfloat16*>(packed) + packed_value_index(key, 0);
    for (int dim = 0; dim < head_dim; dim += 8, out += 16) {
      const Eight a = load(even + dim);
      const Eight b = load(odd + dim);
      const Eight low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      const Eight high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
      std::memcpy(out, &low, sizeof(low));
      std::memcpy(out + 8, &high, sizeof(high));
    }
  }
}

}  // namespace engine::kernels
