#include "engine/whisper/cpu/block_writer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace engine::cpu {
namespace {

// A model with a larger number is damaged: float16, which Whisper's are published in, ends at
// 65504. Up to it all that is estimated for int8, squares of products among them, is finite in
// float32.
constexpr float largest_number = 1e7F;

// Multiplies each row of weights by its factor.
void scale_rows(std::span<float> weight, int n_in, std::span<const float> scale) {
  auto value = weight.begin();
  for (const float factor : scale) {
    if (factor == 1) {
      value += n_in;
      continue;
    }
    for (int k = 0; k < n_in; ++k) *value++ *= factor;
  }
}

}  // namespace

template <class T>
T* BlockWriter::take(std::size_t count) {
  const std::size_t begin = size_;
  size_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
  return memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + begin);
}

BlockWriter::Numbers BlockWriter::gather(const std::vector<Part>& parts, int n_out) const {
  Numbers numbers;
  if (weights_ == nullptr) return numbers;
  for (const Part& part : parts) {
    std::vector<float> weight = read(part.layer + ".weight");
    if (numbers.weight.empty()) {
      numbers.weight = std::move(weight);
      numbers.weight.reserve(numbers.weight.size() * parts.size());
    } else {
      numbers.weight.insert(numbers.weight.end(), weight.begin(), weight.end());
    }
    for (const float value : read_bias(part.layer, n_out)) {
      numbers.bias.push_back(value * part.factor);
    }
    numbers.scale.insert(numbers.scale.end(), static_cast<std::size_t>(n_out), part.factor);
  }
  return numbers;
}

BlockWriter::NumbersBehindNorm BlockWriter::gather_behind(const std::string& norm,
                                                          const std::vector<Part>& parts, int n_out,
                                                          MatrixType type) const {
  NumbersBehindNorm all{gather(parts, n_out), spread_behind(norm), {}};
  if (weights_ == nullptr || type != MatrixType::int8) return all;
  all.factors = column_factors(all.inputs, all.numbers.weight);
  move_factors(all.factors, all.inputs, all.numbers.weight);
  return all;
}

InputSpread BlockWriter::spread_behind(const std::string& norm) const {
  if (weights_ == nullptr) return {};
  InputSpread spread{read(norm + ".bias"), read(norm + ".weight")};
  for (float& deviation : spread.deviation) deviation = std::abs(deviation);
  return spread;
}

MatrixType BlockWriter::fitting(MatrixType type, const InputSpread& inputs,
                                std::span<const float> weight) {
  if (type != MatrixType::int8) return type;
  auto* kept = take<MatrixType>(1);
  if (weights_ == nullptr) {
    return *kept == MatrixType::int8 ? MatrixType::int8 : MatrixType::bfloat16;
  }
  const MatrixType best =
      int8_error(inputs, weight) <= most_int8_error ? MatrixType::int8 : MatrixType::bfloat16;
  if (kept != nullptr) *kept = best;
  return best;
}

Matrix BlockWriter::linear(const std::vector<Part>& parts, int n_out, int n_in, MatrixType type,
                           const Heads& heads, const std::string& input_norm) {
  Numbers numbers = gather(parts, n_out);
  const InputSpread inputs = input_norm.empty() ? equal_spread(n_in) : spread_behind(input_norm);
  const MatrixType kept = fitting(type, inputs, numbers.weight);
  return packed(kept, n_out * static_cast<int>(parts.size()), n_in, std::move(numbers), heads);
}

NormedMatrix BlockWriter::behind_norm(const std::string& norm, const std::vector<Part>& parts,
                                      int n_out, int n_in, MatrixType type, const Heads& heads) {
  NumbersBehindNorm all = gather_behind(norm, parts, n_out, type);
  const kernels::LayerNormWeights norm_weights = layer_norm(norm, n_in, all.factors);
  const MatrixType kept = fitting(type, all.inputs, all.numbers.weight);
  return {norm_weights, packed(kept, n_out * static_cast<int>(parts.size()), n_in,
                               std::move(all.numbers), heads)};
}

std::vector<Matrix> BlockWriter::linear_by_inputs(const std::string& layer, int n_out, int n_in,
                                                  int count, MatrixType type) {
  const Numbers numbers = gather({{layer}}, n_out);
  const int width = n_in / count;
  const InputSpread inputs = equal_spread(width);
  std::vector<Matrix> matrices;
  for (int i = 0; i < count; ++i) {
    Numbers part{{}, i == 0 ? numbers.bias : std::vector<float>{}, numbers.scale};
    for (auto row = numbers.weight.begin(); row != numbers.weight.end(); row += n_in) {
      part.weight.insert(part.weight.end(), row + i * width, row + (i + 1) * width);
    }
    const MatrixType kept = fitting(type, inputs, part.weight);
    matrices.push_back(packed(kept, n_out, width, std::move(part)));
  }
  return matrices;
}

LogitMatrices BlockWriter::logits(const std::string& norm, const std::string& layer, int n_out,
                                  int n_in, MatrixType type) {
  NumbersBehindNorm all = gather_behind(norm, {{layer}}, n_out, type);
  LogitMatrices found;
  found.norm = layer_norm(norm, n_in, all.factors);
  if (type == MatrixType::int8) {
    found.preselection = preselection(n_out, n_in, all.numbers.weight, all.inputs);
  }
  found.matrix = packed(type, n_out, n_in, std::move(all.numbers));
  return found;
}

// The outputs' deviation follows from the inputs' power, as errors of weights are independent.
kernels::Int4Matrix BlockWriter::preselection(int n_out, int n_in, std::span<const float> weight,
                                              const InputSpread& inputs) {
  const auto outputs = static_cast<std::size_t>(kernels::padded_outputs(n_out));
  auto* packed = take<std::uint8_t>(kernels::int4_size(n_out, n_in));
  auto* scale = take<float>(outputs);
  auto* sum = take<float>(outputs);
  auto* mean = take<float>(static_cast<std::size_t>(n_in));
  auto* deviation = take<float>(1);
  if (writes()) {
    const std::vector<float> errors =
        kernels::pack_int4(weight, n_out, n_in, packed, scale, sum, mean);
    float variance = 0;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const float power =
          inputs.mean[k] * inputs.mean[k] + inputs.deviation[k] * inputs.deviation[k];
      variance += errors[k] * power;
    }
    *deviation = std::sqrt(variance);
  }
  return {n_in, static_cast<int>(outputs), packed, scale, sum, mean, deviation};
}

// Sizes and numbers are the file's here, those of the matrix have whole heads.
Matrix BlockWriter::packed(MatrixType type, int n_out, int n_in, Numbers numbers,
                           const Heads& heads) {
  const auto width = static_cast<std::size_t>(heads.width);
  constexpr auto filled = static_cast<std::size_t>(head_dim);
  if (heads.side == Heads::Side::outputs) {
    const auto inputs = static_cast<std::size_t>(n_in);
    fill_up(numbers.weight, width * inputs, filled * inputs);
    fill_up(numbers.bias, width, filled);
    fill_up(numbers.scale, width, filled);
    n_out = n_out / heads.width * head_dim;
  } else if (heads.side == Heads::Side::inputs) {
    fill_up(numbers.weight, width, filled);
    n_in = n_in / heads.width * head_dim;
  }
  // Times a factor, a small weight may be none of float16 any more, so it keeps them apart.
  if (type == MatrixType::float16) {
    return float16(n_out, n_in, numbers.weight, numbers.bias, numbers.scale);
  }
  scale_rows(numbers.weight, n_in, numbers.scale);
  if (type == MatrixType::float32) return float32(n_out, n_in, numbers.weight, numbers.bias);
  if (type == MatrixType::bfloat16) return bfloat16(n_out, n_in, numbers.weight, numbers.bias);
  return int8(n_out, n_in, numbers.weight, numbers.bias);
}

kernels::Int8Matrix BlockWriter::int8(int n_out, int n_in, std::span<const float> weight,
                                      std::span<const float> bias) {
  const auto outputs = static_cast<std::size_t>(kernels::padded_outputs(n_out));
  auto* packed = take<std::int8_t>(outputs * static_cast<std::size_t>(n_in));
  auto* scale = take<float>(outputs);
  auto* sum = take<float>(outputs);
  if (writes()) kernels::pack_int8(weight, n_out, n_in, packed, scale, sum);
  return {n_in, static_cast<int>(outputs), packed, scale, sum, packed_bias(n_out, bias)};
}

kernels::Bfloat16Matrix BlockWriter::bfloat16(int n_out, int n_in, std::span<const float> weight,
                                              std::span<const float> bias) {
  const int outputs = kernels::padded_outputs(n_out);
  auto* packed =
      take<std::uint16_t>(static_cast<std::size_t>(outputs) * static_cast<std::size_t>(n_in));
  if (writes()) kernels::pack_bfloat16(weight, n_out, n_in, packed);
  return {n_in, outputs, packed, packed_bias(n_out, bias)};
}

kernels::Float32Matrix BlockWriter::float32(int n_out, int n_in, std::span<const float> weight,
                                            std::span<const float> bias) {
  const int outputs = kernels::padded_outputs(n_out);
  auto* packed = take<float>(static_cast<std::size_t>(outputs) * static_cast<std::size_t>(n_in));
  if (writes()) kernels::pack_float32(weight, n_out, n_in, packed);
  return {n_in, outputs, packed, packed_bias(n_out, bias)};
}

kernels::Float16Matrix BlockWriter::float16(int n_out, int n_in, std::span<const float> weight,
                                            std::span<const float> bias,
                                            std::span<const float> scale) {
  const auto outputs = static_cast<std::size_t>(kernels::padded_outputs(n_out));
  auto* packed = take<kernels::Float16>(outputs * static_cast<std::size_t>(n_in));
  auto* factors = take<float>(outputs);
  if (writes()) {
    kernels::pack_float16(weight, n_out, n_in, packed);
    std::fill_n(factors, outputs, 1.0F);
    std::copy(scale.begin(), scale.end(), factors);
  }
  return {n_in, static_cast<int>(outputs), packed, factors, packed_bias(n_out, bias)};
}

// The outputs that fill up the last panel have 0.
const float* BlockWriter::packed_bias(int n_out, std::span<const float> bias) {
  const auto outputs = static_cast<std::size_t>(kernels::padded_outputs(n_out));
  auto* packed = take<float>(outputs);
  if (writes()) {
    std::fill_n(packed, outputs, 0.0F);
    std::copy(bias.begin(), bias.end(), packed);
  }
  return packed;
}

Matrix BlockWriter::convolution(const std::string& layer, int n_out, int n_channels,
                                MatrixType type) {
  const int n_in = 3 * n_channels;
  Numbers numbers = gather({{layer}}, n_out);
  std::vector<float> by_moment(numbers.weight.size());
  for (std::size_t from = 0; from < by_moment.size(); ++from) {
    const auto moment = static_cast<int>(from % 3);
    const auto channel = static_cast<int>(from / 3) % n_channels;
    const auto out = static_cast<int>(from / 3) / n_channels;
    by_moment[static_cast<std::size_t>(out * n_in + moment * n_channels + channel)] =
        numbers.weight[from];
  }
  numbers.weight = std::move(by_moment);
  return packed(type, n_out, n_in, std::move(numbers));
}

kernels::LayerNormWeights BlockWriter::layer_norm(const std::string& layer, int n,
                                                  std::span<const float> divisors) {
  const float* weight = floats(layer + ".weight", n, divisors);
  return {weight, floats(layer + ".bias", n, divisors)};
}

const float* BlockWriter::floats(const std::string& tensor, int count,
                                 std::span<const float> divisors) {
  auto* memory = take<float>(static_cast<std::size_t>(count));
  if (writes()) {
    const std::vector<float> values = read(tensor);
    std::copy(values.begin(), values.end(), memory);
    std::transform(divisors.begin(), divisors.end(), memory, memory,
                   [](float divisor, float value) { return value / divisor; });
  }
  return memory;
}

std::vector<float> BlockWriter::read(const std::string& tensor) const {
  const WeightTensor& found = weights_->tensors().at(tensor);
  std::vector<float> values(static_cast<std::size_t>(found.elements()));
  to_float(found, values);
  // Rounding to bytes would turn NaN into a number, and factors made of larger numbers are
  // infinite.
  if (!std::ranges::all_of(values, [](float x) { return std::abs(x) <= largest_number; })) {
    throw Exception({Errc::damaged_model,
                     "[weights] " + tensor +
                         ": expected numbers up to ten million, got a larger one, " +
                         "NaN or infinity",
                     "Fetch the model again."});
  }
  return values;
}

std::vector<float> BlockWriter::read_bias(const std::string& layer, int count) const {
  const std::string tensor = layer + ".bias";
  if (!weights_->tensors().contains(tensor)) {
    return std::vector<float>(static_cast<std::size_t>(count));
  }
  return read(tensor);
}

}  // namespace engine::cpu
