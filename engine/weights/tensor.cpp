#include "engine/weights/tensor.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engine/weights/byte_reader.h"
#include "engine/weights/ggml_blocks.h"
#include "engine/weights/grouped.h"
#include "engine/weights/half.h"

namespace engine {
namespace {

// A block is several numbers of ggml's quantised types, one number of the others.
struct Layout {
  std::string_view name;
  std::int64_t block;
  std::size_t bytes;
};

Layout ggml_layout(std::string_view name, DType dtype) {
  const BlockLayout block = ggml_block(dtype);
  return {name, block.numbers, block.bytes};
}

// MLX packs words of 32 bits, so that 32 numbers fill as many words as each has bits.
Layout packed_layout(std::string_view name, DType dtype) {
  return {name, 32, 4 * static_cast<std::size_t>(packed_bits(dtype))};
}

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
    case DType::u32:
      return {"u32", 1, 4};
    case DType::q8_0:
      return ggml_layout("q8_0", dtype);
    case DType::q5_0:
      return ggml_layout("q5_0", dtype);
    case DType::q5_1:
      return ggml_layout("q5_1", dtype);
    case DType::q4_0:
      return ggml_layout("q4_0", dtype);
    case DType::q4_1:
      return ggml_layout("q4_1", dtype);
    case DType::q2_k:
      return ggml_layout("q2_K", dtype);
    case DType::q3_k:
      return ggml_layout("q3_K", dtype);
    case DType::q4_k:
      return ggml_layout("q4_K", dtype);
    case DType::q5_k:
      return ggml_layout("q5_K", dtype);
    case DType::q6_k:
      return ggml_layout("q6_K", dtype);
    case DType::q8_k:
      return ggml_layout("q8_K", dtype);
    case DType::u2:
      return packed_layout("u2", dtype);
    case DType::u3:
      return packed_layout("u3", dtype);
    case DType::u4:
      return packed_layout("u4", dtype);
    case DType::u5:
      return packed_layout("u5", dtype);
    case DType::u6:
      return packed_layout("u6", dtype);
    case DType::u8:
      return packed_layout("u8", dtype);
  }
  throw std::invalid_argument("[weights] unknown dtype");
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

void stored_to_float(const WeightTensor& tensor, std::span<float> out) {
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
    case DType::u2:
    case DType::u3:
    case DType::u4:
    case DType::u5:
    case DType::u6:
    case DType::u8:
      return grouped_to_float(tensor, out);
    default:
      break;
  }
  const BlockLayout block = ggml_block(tensor.dtype);
  const auto numbers = static_cast<std::size_t>(block.numbers);
  for (std::size_t i = 0; i < out.size() / numbers; ++i) {
    ggml_block_to_float(tensor.dtype, data + i * block.bytes, out.data() + i * numbers);
  }
}

// Turns each [width, in] of the output into [in, width].
void put_channels_first(const WeightTensor& tensor, std::span<float> out) {
  const auto channels = static_cast<std::size_t>(tensor.shape.at(1));
  const auto width = static_cast<std::size_t>(tensor.shape.at(2));
  std::vector<float> stored(channels * width);
  for (std::size_t at = 0; at < out.size(); at += stored.size()) {
    std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(at), stored.size(), stored.begin());
    for (std::size_t i = 0; i < stored.size(); ++i) {
      out[at + i % channels * width + i / channels] = stored[i];
    }
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
  stored_to_float(tensor, out);
  if (tensor.channels_last && !out.empty()) put_channels_first(tensor, out);
}

WeightTensor rows(const WeightTensor& tensor, std::int64_t first, std::int64_t count) {
  const auto row_bytes = tensor.data.size() / static_cast<std::size_t>(tensor.shape.at(0));
  WeightTensor part = tensor;
  part.shape[0] = count;
  part.data = tensor.data.subspan(static_cast<std::size_t>(first) * row_bytes,
                                  static_cast<std::size_t>(count) * row_bytes);
  if (tensor.group > 0) {
    const auto row_factors = tensor.scales.size() / static_cast<std::size_t>(tensor.shape.at(0));
    const auto part_of = [&](std::span<const std::byte> factors) {
      return factors.subspan(static_cast<std::size_t>(first) * row_factors,
                             static_cast<std::size_t>(count) * row_factors);
    };
    part.scales = part_of(tensor.scales);
    part.offsets = part_of(tensor.offsets);
  } else if (tensor.scales.size() > sizeof(float)) {
    part.scales = tensor.scales.subspan(static_cast<std::size_t>(first) * sizeof(float),
                                        static_cast<std::size_t>(count) * sizeof(float));
  }
  return part;
}

}  // namespace engine
