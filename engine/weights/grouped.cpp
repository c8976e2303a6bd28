#include "engine/weights/grouped.h"

#include <array>
#include <stdexcept>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/half.h"

// MLX packs the numbers of a row one behind the other, from the lowest bit of each byte on; those
// of 3, 5 and 6 bits may lie in two bytes. A group of them shares a scale and an offset.
namespace engine {
namespace {

struct PackedType {
  int bits;
  DType dtype;
};
constexpr std::array packed_types{PackedType{2, DType::u2}, PackedType{3, DType::u3},
                                  PackedType{4, DType::u4}, PackedType{5, DType::u5},
                                  PackedType{6, DType::u6}, PackedType{8, DType::u8}};

float factor_at(const WeightTensor& tensor, std::span<const std::byte> factors, std::size_t i) {
  if (tensor.factors == DType::f32) return load_unaligned<float>(factors.data() + 4 * i);
  const auto bits = load_unaligned<std::uint16_t>(factors.data() + 2 * i);
  return tensor.factors == DType::f16 ? half_to_float(bits) : bfloat_to_float(bits);
}

int number_at(const std::byte* data, std::size_t i, int bits) {
  const std::size_t first_bit = i * static_cast<std::size_t>(bits);
  const std::size_t byte = first_bit / 8;
  const int shift = static_cast<int>(first_bit % 8);
  int window = std::to_integer<int>(data[byte]);
  if (shift + bits > 8) window |= std::to_integer<int>(data[byte + 1]) << 8;
  return window >> shift & ((1 << bits) - 1);
}

}  // namespace

int packed_bits(DType dtype) {
  for (const PackedType& type : packed_types) {
    if (type.dtype == dtype) return type.bits;
  }
  return 0;
}

DType packed_dtype(std::string_view tensor, int bits) {
  for (const PackedType& type : packed_types) {
    if (type.bits == bits) return type.dtype;
  }
  refused(std::string(tensor) + ": numbers of " + std::to_string(bits) +
              " bits, known are 2, 3, 4, 5, 6 and 8",
          "Quantize the model to 4 or 8 bits, or use its float16 form.");
}

void grouped_to_float(const WeightTensor& tensor, std::span<float> out) {
  const auto group = static_cast<std::size_t>(tensor.group);
  const std::size_t factor_bytes = tensor.factors == DType::f32 ? 4 : 2;
  if (group == 0 || tensor.scales.size() / factor_bytes * group != out.size() ||
      tensor.offsets.size() != tensor.scales.size()) {
    throw std::invalid_argument("[weights] groups without their scales");
  }
  const int bits = packed_bits(tensor.dtype);
  for (std::size_t g = 0; g < out.size() / group; ++g) {
    const float scale = factor_at(tensor, tensor.scales, g);
    const float offset = factor_at(tensor, tensor.offsets, g);
    for (std::size_t i = g * group; i < (g + 1) * group; ++i) {
      out[i] = static_cast<float>(number_at(tensor.data.data(), i, bits)) * scale + offset;
    }
  }
}

}  // namespace engine
