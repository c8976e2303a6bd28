#include "engine/weights/tensor.h"

#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

#include "engine/weights/byte_reader.h"

namespace engine {
namespace {

constexpr std::int64_t block_length = 32;

// A block is 32 numbers of the quantised types, one number of the others.
struct Layout {
  std::string_view name;
  std::int64_t block;
  std::size_t bytes;
};

Layout layout(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return {"f32", 1, 4};
    case DType::f16:
      return {"f16", 1, 2};
    case DType::bf16:
      return {"bf16", 1, 2};
    case DType::i8:
      return {"i8", 1, 1};
    case DType::i16:
      return {"i16", 1, 2};
    case DType::i32:
      return {"i32", 1, 4};
    case DType::i64:
      return {"i64", 1, 8};
    case DType::q8_0:
      return {"q8_0", block_length, 34};
    case DType::q5_0:
      return {"q5_0", block_length, 22};
    case DType::q5_1:
      return {"q5_1", block_length, 24};
    case DType::q4_0:
      return {"q4_0", block_length, 18};
  }
  throw std::invalid_argument("[weights] unknown dtype");
}

// Shifts exponent and mantissa into float32's place; multiplying by 2^112 repairs the exponent and
// normalises subnormals. It has no branches, so that a loop over it can be vectorised.
float half_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = (half & 0x7fffu) << 13;
  const std::uint32_t infinite = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const std::uint32_t sign = (half & 0x8000u) << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | infinite | sign);
}

float bfloat_to_float(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

void scaled_integers_to_float(const WeightTensor& tensor, std::span<float> out) {
  const std::byte* data = tensor.data.data();
  const std::size_t n_scales = tensor.scales.size() / sizeof(float);
  if (n_scales == 0) throw std::invalid_argument("[weights] integers without scales");
  const std::size_t row = out.size() / n_scales;
  for (std::size_t s = 0; s < n_scales; ++s) {
    const float scale = load_unaligned<float>(tensor.scales.data() + s * sizeof(float));
    for (std::size_t i = s * row; i < (s + 1) * row; ++i) {
      const int value = tensor.dtype == DType::i8 ? load_unaligned<std::int8_t>(data + i)
                                                  : load_unaligned<std::int16_t>(data + 2 * i);
      out[i] = static_cast<float>(value) / scale;
    }
  }
}

int low_nibble(std::byte value) {
  return std::to_integer<int>(value) & 0x0f;
}
int high_nibble(std::byte value) {
  return std::to_integer<int>(value) >> 4;
}

// Decodes one ggml block: a half-precision scale, for q5_1 a minimum, for the 5-bit types a word
// with each number's fifth bit, then the numbers. Nibbles hold number j in the low and j + 16 in
// the high half.
void block_to_float(DType dtype, const std::byte* block, float* out) {
  const float scale = half_to_float(load_unaligned<std::uint16_t>(block));
  block += 2;
  if (dtype == DType::q8_0) {
    for (int j = 0; j < 32; ++j) {
      out[j] = static_cast<float>(load_unaligned<std::int8_t>(block + j)) * scale;
    }
    return;
  }
  float minimum = 0;
  if (dtype == DType::q5_1) {
    minimum = half_to_float(load_unaligned<std::uint16_t>(block));
    block += 2;
  }
  std::uint32_t fifth_bits = 0;
  if (dtype != DType::q4_0) {
    fifth_bits = load_unaligned<std::uint32_t>(block);
    block += 4;
  }
  const int zero = dtype == DType::q4_0 ? 8 : dtype == DType::q5_0 ? 16 : 0;
  for (int j = 0; j < 16; ++j) {
    const int low = low_nibble(block[j]) | static_cast<int>((fifth_bits >> j) & 1) << 4;
    const int high = high_nibble(block[j]) | static_cast<int>((fifth_bits >> (j + 16)) & 1) << 4;
    out[j] = static_cast<float>(low - zero) * scale + minimum;
    out[j + 16] = static_cast<float>(high - zero) * scale + minimum;
  }
}

}  // namespace

std::string_view name(DType dtype) {
  return layout(dtype).name;
}

std::int64_t WeightTensor::elements() const {
  std::int64_t n = 1;
  for (const std::int64_t dimension : shape) n *= dimension;
  return n;
}

std::size_t byte_size(std::string_view tensor, DType dtype, std::span<const std::int64_t> shape) {
  const Layout l = layout(dtype);
  std::size_t n = 1;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0 || __builtin_mul_overflow(n, static_cast<std::size_t>(dimension), &n)) {
      damaged(std::string(tensor) + ": impossible shape " + shape_text(shape));
    }
  }
  if (l.block > 1 && (shape.empty() || shape.back() % l.block != 0)) {
    damaged(std::string(tensor) + ": " + std::string(l.name) + " needs rows of a multiple of " +
            std::to_string(l.block) + " numbers, got " + shape_text(shape));
  }
  n /= static_cast<std::size_t>(l.block);
  if (__builtin_mul_overflow(n, l.bytes, &n) ||
      n > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())) {
    damaged(std::string(tensor) + ": impossible shape " + shape_text(shape));
  }
  return n;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t dimension : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(dimension);
  }
  return text + "]";
}

void to_float(const WeightTensor& tensor, std::span<float> out) {
  if (tensor.elements() != static_cast<std::int64_t>(out.size()) || is_count(tensor.dtype)) {
    throw std::invalid_argument("[weights] to_float: " + std::string(name(tensor.dtype)) +
                                shape_text(tensor.shape) + " into " + std::to_string(out.size()));
  }
  const std::byte* data = tensor.data.data();
  switch (tensor.dtype) {
    case DType::f32:
      if (!out.empty()) std::memcpy(out.data(), data, out.size_bytes());
      return;
    case DType::f16:
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = half_to_float(load_unaligned<std::uint16_t>(data + 2 * i));
      }
      return;
    case DType::bf16:
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = bfloat_to_float(load_unaligned<std::uint16_t>(data + 2 * i));
      }
      return;
    case DType::i8:
    case DType::i16:
      return scaled_integers_to_float(tensor, out);
    default:
      break;
  }
  const std::size_t block_bytes = layout(tensor.dtype).bytes;
  for (std::size_t i = 0; i < out.size() / block_length; ++i) {
    block_to_float(tensor.dtype, data + i * block_bytes, out.data() + i * block_length);
  }
}

WeightTensor rows(const WeightTensor& tensor, std::int64_t first, std::int64_t count) {
  const auto row_bytes = tensor.data.size() / static_cast<std::size_t>(tensor.shape.at(0));
  WeightTensor part = tensor;
  part.shape[0] = count;
  part.data = tensor.data.subspan(static_cast<std::size_t>(first) * row_bytes,
                                  static_cast<std::size_t>(count) * row_bytes);
  if (tensor.scales.size() > sizeof(float)) {
    part.scales = tensor.scales.subspan(static_cast<std::size_t>(first) * sizeof(float),
                                        static_cast<std::size_t>(count) * sizeof(float));
  }
  return part;
}

}  // namespace engine
