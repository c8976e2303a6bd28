#include "engine/whisper/cpu/block_writer.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace engine::cpu {
namespace {

void append(std::vector<float>& to, const std::vector<float>& values, float factor) {
  for (const float value : values) to.push_back(value * factor);
}

}  // namespace

template <class T>
T* BlockWriter::take(std::size_t count) {
  const std::size_t begin = size_;
  size_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
  return memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + begin);
}

// Times a factor, a small weight may be none of float16 any more.
BlockWriter::Numbers BlockWriter::gather(const std::vector<Part>& parts, int n_out,
                                         MatrixType type) const {
  Numbers numbers;
  if (weights_ == nullptr) return numbers;
  for (const Part& part : parts) {
    const bool apart = type == MatrixType::float16;
    append(numbers.weight, read(part.layer + ".weight"), apart ? 1 : part.factor);
    append(numbers.bias, read_bias(part.layer, n_out), part.factor);
    numbers.scale.insert(numbers.scale.end(), static_cast<std::size_t>(n_out),
                         apart ? part.factor : 1);
  }
  return numbers;
}

BlockWriter::NumbersBehindNorm BlockWriter::gather_behind(const std::string& norm,
                                                          const std::vector<Part>& parts, int n_out,
                                                          MatrixType type) const {
  NumbersBehindNorm all{gather(parts, n_out, type), spread_behind(norm), {}};
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
  if (kept == nullptr) return MatrixType::bfloat16;
  if (weights_ != nullptr) {
    *kept = int8_error(inputs, weight) > most_int8_error ? MatrixType::bfloat16 : MatrixType::int8;
  }
  return *kept;
}

Matrix BlockWriter::linear(const std::vector<Part>& parts, int n_out, int n_in, MatrixType type,
                           const std::string& input_norm) {
  const Numbers numbers = gather(parts, n_out, type);
  const InputSpread inputs = input_norm.empty() ? equal_spread(n_in) : spread_behind(input_norm);
  return packed(fitting(type, inputs, numbers.weight), n_out * static_cast<int>(parts.size()), n_in,
                numbers.weight, numbers.bias, numbers.scale);
}

NormedMatrix BlockWriter::behind_norm(const std::string& norm, const std::vector<Part>& parts,
                                      int n_out, int n_in, MatrixType type) {
  const NumbersBehindNorm all = gather_behind(norm, parts, n_out, type);
  const Numbers& numbers = all.numbers;
  const kernels::LayerNormWeights norm_weights = layer_norm(norm, n_in, all.factors);
  return {norm_weights,
          packed(fitting(type, all.inputs, numbers.weight), n_out * static_cast<int>(parts.size()),
                 n_in, numbers.weight, numbers.bias, numbers.scale)};
}

std::vector<Matrix> BlockWriter::linear_by_inputs(const std::string& layer, int n_out, int n_in,
                                                  int count, MatrixType type) {
  const Numbers numbers = gather({{layer}}, n_out, type);
  const int width = n_in / count;
  const InputSpread inputs = equal_spread(width);
  std::vector<Matrix> matrices;
  std::span<const float> bias = numbers.bias;
  for (int i = 0; i < count; ++i) {
    std::vector<float> columns;
    for (auto row = numbers.weight.begin(); row != numbers.weight.end(); row += n_in) {
      columns.insert(columns.end(), row + i * width, row + (i + 1) * width);
    }
    matrices.push_back(
        packed(fitting(type, inputs, columns), n_out, width, columns, bias, numbers.scale));
    bias = {};
  }
  return matrices;
}

LogitMatrices BlockWriter::logits(const std::string& norm, const std::string& layer, int n_out,
                                  int n_in, MatrixType type) {
  const NumbersBehindNorm all = gather_behind(norm, {{layer}}, n_out, type);
  const Numbers& numbers = all.numbers;
  LogitMatrices found;
  found.norm = layer_norm(norm, n_in, all.factors);
  found.matrix = packed(type, n_out, n_in, numbers.weight, numbers.bias, numbers.scale);
  if (type == MatrixType::int8) {
    found.preselection = preselection(n_out, n_in, numbers.weight, all.inputs);
  }
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
  if (weights_ != nullptr) {
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

Matrix BlockWriter::packed(MatrixType type, int n_out, int n_in, std::span<const float> weight,
                           std::span<const float> bias, std::span<const float> scale) {
  switch (type) {
    case MatrixType::float32:
      return float32(n_out, n_in, weight, bias);
    case MatrixType::float16:
      return float16(n_out, n_in, weight, bias, scale);
    case MatrixType::bfloat16:
      return bfloat16(n_out, n_in, weight, bias);
    case MatrixType::int8:
      break;
  }
  return int8(n_out, n_in, weight, bias);
}

kernels::Int8Matrix BlockWriter::int8(int n_out, int n_in, std::span<const float> weight,
                                      std::span<const float> bias) {
  const auto outputs = static_cast<std::size_t>(kernels::padded_outputs(n_out));
  auto* packed = take<std::int8_t>(outputs * static_cast<std::size_t>(n_in));
  auto* scale = take<float>(outputs);
  auto* sum = take<float>(outputs);
  if (weights_ != nullptr) kernels::pack_int8(weight, n_out, n_in, packed, scale, sum);
  return {n_in, static_cast<int>(outputs), packed, scale, sum, packed_bias(n_out, bias)};
}

kernels::Bfloat16Matrix BlockWriter::bfloat16(int n_out, int n_in, std::span<const float> weight,
                                              std::span<const float> bias) {
  const int outputs = kernels::padded_outputs(n_out);
  auto* packed =
      take<std::uint16_t>(static_cast<std::size_t>(outputs) * static_cast<std::size_t>(n_in));
  if (weights_ != nullptr) kernels::pack_bfloat16(weight, n_out, n_in, packed);
  return {n_in, outputs, packed, packed_bias(n_out, bias)};
}

kernels::Float32Matrix BlockWriter::float32(int n_out, int n_in, std::span<const float> weight,
                                            std::span<const float> bias) {
  const int outputs = kernels::padded_outputs(n_out);
  auto* packed = take<float>(static_cast<std::size_t>(outputs) * static_cast<std::size_t>(n_in));
  if (weights_ != nullptr) kernels::pack_float32(weight, n_out, n_in, packed);
  return {n_in, outputs, packed, packed_bias(n_out, bias)};
}

kernels::Float16Matrix BlockWriter::float16(int n_out, int n_in, std::span<const float> weight,
                                            std::span<const float> bias,
                                            std::span<const float> scale) {
  const auto outputs = static_cast<std::size_t>(kernels::padded_outputs(n_out));
  auto* packed = take<kernels::Float16>(outputs * static_cast<std::size_t>(n_in));
  auto* factors = take<float>(outputs);
  if (weights_ != nullptr) {
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
  if (weights_ != nullptr) {
    std::fill_n(packed, outputs, 0.0F);
    std::copy(bias.begin(), bias.end(), packed);
  }
  return packed;
}

Matrix BlockWriter::convolution(const std::string& layer, int n_out, int n_channels,
                                MatrixType type) {
  const int n_in = 3 * n_channels;
  const Numbers numbers = gather({{layer}}, n_out, type);
  std::vector<float> by_moment(numbers.weight.size());
  for (std::size_t from = 0; from < by_moment.size(); ++from) {
    const auto moment = static_cast<int>(from % 3);
    const auto channel = static_cast<int>(from / 3) % n_channels;
    const auto out = static_cast<int>(from / 3) / n_channels;
    by_moment[static_cast<std::size_t>(out * n_in + moment * n_channels + channel)] =
        numbers.weight[from];
  }
  return packed(type, n_out, n_in, by_moment, numbers.bias);
}

kernels::LayerNormWeights BlockWriter::layer_norm(const std::string& layer, int n,
                                                  std::span<const float> divisors) {
  const float* weight = floats(layer + ".weight", n, divisors);
  return {weight, floats(layer + ".bias", n, divisors)};
}

const float* BlockWriter::floats(const std::string& tensor, int count,
                                 std::span<const float> divisors) {
  auto* memory = take<float>(static_cast<std::size_t>(count));
  if (weights_ != nullptr) {
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
  // Rounding to bytes would turn NaN into a number.
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) {
    throw Exception({Errc::damaged_model,
                     "[weights] " + tensor + ": holds NaN or infinity instead of numbers",
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
