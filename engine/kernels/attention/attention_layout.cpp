#include "engine/kernels/attention/attention_layout.h"

#include <immintrin.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace engine::kernels {
namespace {

constexpr std::array<Bfloat16, head_dim> zeros{};

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

void pack_values(const HeadRows& values, int first, int last, Bfloat16* packed) {
  for (int key = first * key_lanes; key < last * key_lanes; key += 2) {
    const Bfloat16* even = row_or_zeros(values, key);
    const Bfloat16* odd = row_or_zeros(values, key + 1);
    auto* out = reinterpret_cast<__m128i*>(packed + packed_value_index(key, 0));
    for (int dim = 0; dim < head_dim; dim += 8, out += 2) {
      const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(even + dim));
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(odd + dim));
      _mm_storeu_si128(out, _mm_unpacklo_epi16(a, b));
      _mm_storeu_si128(out + 1, _mm_unpackhi_epi16(a, b));
    }
  }
}

}  // namespace engine::kernels
