#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

// The encoding of a tensor's numbers in the file. The q types are ggml's blocks along the last
// dimension, of 32 numbers or, with a k, of 256; i8 and i16 are CTranslate2's, with scales beside
// them; u2 to u8 are MLX's, in groups with scales and offsets; i32, i64 and u32 count or pack
// something, and are no numbers of a network.
enum class DType {
  f32,
  f16,
  bf16,
  i8,
  i16,
  i32,
  i64,
  u32,
  q8_0,
  q5_0,
  q5_1,
  q4_0,
  q4_1,
  q2_k,
  q3_k,
  q4_k,
  q5_k,
  q6_k,
  q8_k,
  u2,
  u3,
  u4,
  u5,
  u6,
  u8
};

constexpr bool is_count(DType dtype) {
  return dtype == DType::i32 || dtype == DType::i64 || dtype == DType::u32;
}

std::string_view name(DType dtype);

// The most dimensions that a tensor of any file may have.
inline constexpr std::size_t max_tensor_rank = 8;

// A view of one tensor, valid while the Weights it came from lives.
struct WeightTensor {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;  // row-major, torch order: a linear layer is [out, in]
  std::span<const std::byte> data;  // contiguous, little-endian, at any alignment
  // The scales are float32, as unaligned as data: one per row (first dimension), or one for the
  // whole tensor. A value is the stored number / scale. Only i8 and i16 have them so.
  std::span<const std::byte> scales;
  // MLX's u types: `scales` and `offsets` are of the type `factors`, one for each `group` numbers
  // of a row. A value is the stored number * scale + offset.
  std::span<const std::byte> offsets{};
  DType factors = DType::f32;
  std::int64_t group = 0;
  // MLX stores a convolution [out, in, width] as [out, width, in]. This says that the bytes lie so;
  // `shape` and the numbers of to_float have the former order.
  bool channels_last = false;
  // NumPy's Fortran order has the last dimension as the slowest. This says that the bytes lie so;
  // readers take it of whole numbers alone.
  bool fortran_order = false;

  std::int64_t elements() const;
};

// Keys are the names of openai/whisper's state_dict, whatever the file's format.
using TensorTable = std::map<std::string, WeightTensor>;

// Returns the bytes that `shape` takes as `dtype`. Throws engine::Exception (damaged_model, naming
// the tensor) for a negative dimension, an overflow, or a last dimension that the type's blocks do
// not divide.
std::size_t byte_size(std::string_view tensor, DType dtype, std::span<const std::int64_t> shape);

// Returns "[512, 80, 3]".
std::string shape_text(std::span<const std::int64_t> shape);

// Writes every number of the tensor as float32. out.size() must be tensor.elements(), and the
// tensor one of numbers (no count); anything else is a programmer's mistake and throws
// std::invalid_argument.
void to_float(const WeightTensor& tensor, std::span<float> out);

// Returns the rows [first, first + count) of the first dimension, as a view.
WeightTensor rows(const WeightTensor& tensor, std::int64_t first, std::int64_t count);

}  // namespace engine
