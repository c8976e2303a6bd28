#include "engine/weights/ggml_blocks.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/half.h"

// ggml has two families. A block of the first has 32 numbers, one half-precision scale and perhaps
// a minimum. A super-block of the second ("K") has 256 numbers in groups of 16 or 32, whose scales
// and minimums are small integers, multiplied by half-precision factors of the whole super-block.
namespace engine {
namespace {

constexpr int block_numbers = 32;
constexpr int super_numbers = 256;

int low_nibble(std::byte value) {
  return std::to_integer<int>(value) & 0x0f;
}
int high_nibble(std::byte value) {
  return std::to_integer<int>(value) >> 4;
}
// Returns `count` bits of a byte from bit `at` on.
int bits_of(std::byte value, int at, int count) {
  return std::to_integer<int>(value) >> at & ((1 << count) - 1);
}
float half_at(const std::byte* from) {
  return half_to_float(load_unaligned<std::uint16_t>(from));
}

void q8_0_to_float(const std::byte* block, float* out) {
  const float scale = half_at(block);
  for (int j = 0; j < block_numbers; ++j) {
    out[j] = static_cast<float>(load_unaligned<std::int8_t>(block + 2 + j)) * scale;
  }
}

// Decodes a half-precision scale, for the types "_1" a minimum, for those of 5 bits a word with
// each number's fifth bit, then nibbles: number j is in the low and j + 16 in the high half.
void nibbles_to_float(DType dtype, const std::byte* block, float* out) {
  const bool five_bits = dtype == DType::q5_0 || dtype == DType::q5_1;
  const bool has_minimum = dtype == DType::q4_1 || dtype == DType::q5_1;
  const float scale = half_at(block);
  block += 2;
  float minimum = 0;
  if (has_minimum) {
    minimum = half_at(block);
    block += 2;
  }
  std::uint32_t fifth_bits = 0;
  if (five_bits) {
    fifth_bits = load_unaligned<std::uint32_t>(block);
    block += 4;
  }
  const int zero = has_minimum ? 0 : five_bits ? 16 : 8;
  for (int j = 0; j < 16; ++j) {
    const int low = low_nibble(block[j]) | static_cast<int>((fifth_bits >> j) & 1) << 4;
    const int high = high_nibble(block[j]) | static_cast<int>((fifth_bits >> (j + 16)) & 1) << 4;
    out[j] = static_cast<float>(low - zero) * scale + minimum;
    out[j + 16] = static_cast<float>(high - zero) * scale + minimum;
  }
}

// The place of number i among the two-bit fields of a super-block: each 32 bytes hold 128 numbers.
struct TwoBits {
  explicit TwoBits(int i) : byte(i / 128 * 32 + i % 32), shift(i % 128 / 32 * 2) {}
  int byte;
  int shift;
};

// Decodes 16 bytes of scale and minimum, a nibble each, for 16 numbers; 64 bytes of numbers; the
// two factors.
void q2_k_to_float(const std::byte* block, float* out) {
  const std::byte* numbers = block + 16;
  const float scale = half_at(block + 80);
  const float minimum = half_at(block + 82);
  for (int i = 0; i < super_numbers; ++i) {
    const TwoBits at(i);
    const std::byte group = block[i / 16];
    out[i] = scale * static_cast<float>(low_nibble(group)) *
                 static_cast<float>(bits_of(numbers[at.byte], at.shift, 2)) -
             minimum * static_cast<float>(high_nibble(group));
  }
}

// Decodes 32 bytes of third bits, which a bit plane each holds for 32 numbers; 64 bytes of low
// bits; 12 bytes of scales; the factor. Scale k of 16 has its low four bits in the first eight
// bytes and its high two in the last four.
void q3_k_to_float(const std::byte* block, float* out) {
  const std::byte* numbers = block + 32;
  const std::byte* scales = block + 96;
  const float factor = half_at(block + 108);
  for (int i = 0; i < super_numbers; ++i) {
    const int k = i / 16;
    const int scale =
        bits_of(scales[k % 8], k / 8 * 4, 4) | bits_of(scales[8 + k % 4], k / 4 * 2, 2) << 4;
    const TwoBits at(i);
    const int number = bits_of(numbers[at.byte], at.shift, 2) | bits_of(block[i % 32], i / 32, 1)
                                                                    << 2;
    out[i] = factor * static_cast<float>(scale - 32) * static_cast<float>(number - 4);
  }
}

struct ScaleAndMinimum {
  int scale;
  int minimum;
};

// Returns scale and minimum, of six bits each, of one of eight groups in 12 bytes: the first four
// groups have bytes of their own, whose spare bits hold the high bits of the last four.
ScaleAndMinimum scale_and_minimum(const std::byte* packed, int group) {
  if (group < 4) return {bits_of(packed[group], 0, 6), bits_of(packed[group + 4], 0, 6)};
  return {low_nibble(packed[group + 4]) | bits_of(packed[group - 4], 6, 2) << 4,
          high_nibble(packed[group + 4]) | bits_of(packed[group], 6, 2) << 4};
}

// Decodes the two factors, 12 bytes of scales and minimums, for q5_k 32 bytes of fifth bits, and
// nibbles: of each 32 bytes, the low halves are one group and the high ones the next.
void q4_k_to_float(DType dtype, const std::byte* block, float* out) {
  const float factor = half_at(block);
  const float minimum_factor = half_at(block + 2);
  const std::byte* packed = block + 4;
  const std::byte* fifth_bits = dtype == DType::q5_k ? block + 16 : nullptr;
  const std::byte* numbers = block + (dtype == DType::q5_k ? 48 : 16);
  for (int group = 0; group < 8; ++group) {
    const auto [scale, minimum] = scale_and_minimum(packed, group);
    const float step = factor * static_cast<float>(scale);
    const float floor = minimum_factor * static_cast<float>(minimum);
    for (int j = 0; j < 32; ++j) {
      const std::byte pair = numbers[group / 2 * 32 + j];
      int number = group % 2 == 0 ? low_nibble(pair) : high_nibble(pair);
      if (fifth_bits != nullptr) number |= bits_of(fifth_bits[j], group, 1) << 4;
      out[group * 32 + j] = step * static_cast<float>(number) - floor;
    }
  }
}

// Decodes 128 bytes of low nibbles, 64 bytes of high bits, 16 signed scales, the factor. Each half
// of a super-block has 64 bytes of nibbles, of which the low halves come first.
void q6_k_to_float(const std::byte* block, float* out) {
  const std::byte* high = block + 128;
  const std::byte* scales = block + 192;
  const float factor = half_at(block + 208);
  for (int i = 0; i < super_numbers; ++i) {
    const TwoBits at(i);
    const std::byte pair = block[i / 128 * 64 + i % 64];
    const int low = i % 128 < 64 ? low_nibble(pair) : high_nibble(pair);
    const int number = (low | bits_of(high[at.byte], at.shift, 2) << 4) - 32;
    out[i] = factor * static_cast<float>(load_unaligned<std::int8_t>(scales + i / 16)) *
             static_cast<float>(number);
  }
}

// Decodes a float32 scale and 256 signed bytes; the sums after them serve ggml's products alone.
void q8_k_to_float(const std::byte* block, float* out) {
  const float scale = load_unaligned<float>(block);
  for (int i = 0; i < super_numbers; ++i) {
    out[i] = scale * static_cast<float>(load_unaligned<std::int8_t>(block + 4 + i));
  }
}

// A type by its number in ggml's files; those that are not quantised have no blocks.
struct GgmlType {
  std::uint32_t number;
  DType dtype;
  BlockLayout block{0, 0};
};
constexpr std::array ggml_types{GgmlType{0, DType::f32},
                                GgmlType{1, DType::f16},
                                GgmlType{2, DType::q4_0, {block_numbers, 18}},
                                GgmlType{3, DType::q4_1, {block_numbers, 20}},
                                GgmlType{6, DType::q5_0, {block_numbers, 22}},
                                GgmlType{7, DType::q5_1, {block_numbers, 24}},
                                GgmlType{8, DType::q8_0, {block_numbers, 34}},
                                GgmlType{10, DType::q2_k, {super_numbers, 84}},
                                GgmlType{11, DType::q3_k, {super_numbers, 110}},
                                GgmlType{12, DType::q4_k, {super_numbers, 144}},
                                GgmlType{13, DType::q5_k, {super_numbers, 176}},
                                GgmlType{14, DType::q6_k, {super_numbers, 210}},
                                GgmlType{15, DType::q8_k, {super_numbers, 292}},
                                GgmlType{30, DType::bf16}};

}  // namespace

BlockLayout ggml_block(DType dtype) {
  const auto found = std::ranges::find(ggml_types, dtype, &GgmlType::dtype);
  return found == ggml_types.end() ? BlockLayout{0, 0} : found->block;
}

void ggml_block_to_float(DType dtype, const std::byte* block, float* out) {
  switch (dtype) {
    case DType::q8_0:
      return q8_0_to_float(block, out);
    case DType::q5_0:
    case DType::q5_1:
    case DType::q4_0:
    case DType::q4_1:
      return nibbles_to_float(dtype, block, out);
    case DType::q2_k:
      return q2_k_to_float(block, out);
    case DType::q3_k:
      return q3_k_to_float(block, out);
    case DType::q4_k:
    case DType::q5_k:
      return q4_k_to_float(dtype, block, out);
    case DType::q6_k:
      return q6_k_to_float(block, out);
    case DType::q8_k:
      return q8_k_to_float(block, out);
    default:
      throw std::invalid_argument("[weights] no type of blocks");
  }
}

DType ggml_dtype(std::string_view tensor, std::uint32_t number) {
  const auto found = std::ranges::find(ggml_types, number, &GgmlType::number);
  if (found != ggml_types.end()) return found->dtype;
  refused(std::string(tensor) + ": ggml type " + std::to_string(number) +
              ", known are f32, f16, bf16, q8_0, q5_0, q5_1, q4_0, q4_1, q8_K and q2_K to q6_K",
          "Use the f16 file of the model, or one that is quantized to one of these types.");
}

}  // namespace engine
