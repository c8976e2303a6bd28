#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/kernels/rows.h"
#include "engine/kernels/top_logits/preselection.h"
#include "engine/whisper/cpu/int8_rounding.h"
#include "engine/whisper/cpu/matrix.h"
#include "engine/whisper/cpu/narrow_heads.h"
#include "engine/whisper/weights/weights.h"

namespace engine::cpu {

// A linear layer whose tensors are named `layer`.weight and `layer`.bias; all of it is multiplied
// by `factor`.
struct Part {
  std::string layer;
  float factor = 1;
};

// A layer norm and the linear layer behind it.
struct NormedMatrix {
  kernels::LayerNormWeights norm;
  Matrix matrix;
};

// The decoder's last norm and what is multiplied behind it.
struct LogitMatrices {
  kernels::LayerNormWeights norm;
  Matrix matrix;
  kernels::Int4Matrix preselection;  // the same in half as many bytes; int8 alone has it
};

// Lays the parts of a model one after the other into a block of memory and hands out views of them.
// Without memory it only measures; without weights the block is filled already. The linear layers
// of int8 are bfloat16 where int8 is too coarse for them, which the weights tell who measures or
// writes, and the block who reads.
class BlockWriter {
 public:
  static constexpr std::size_t alignment = 64;

  BlockWriter(std::byte* memory, const Weights* weights) : memory_(memory), weights_(weights) {}

  // Returns the bytes so far, whole units of `alignment`.
  std::size_t size() const { return size_; }

  // Packs layers [n_out, n_in] with the same input as one: their outputs follow each other. A bias
  // that the model does not have is 0. In float16 outputs are multiplied by the factors.
  //   heads       outputs or inputs that become wider than n_out or n_in
  //   input_norm  the layer norm that the inputs come from, if there is one
  Matrix linear(const std::vector<Part>& parts, int n_out, int n_in, MatrixType type,
                const Heads& heads = {}, const std::string& input_norm = {});
  // Packs such layers and the norm before them, which nothing else is behind. In int8 the inputs
  // are made easier to round: factors of the norm go into the columns (column_factors).
  NormedMatrix behind_norm(const std::string& norm, const std::vector<Part>& parts, int n_out,
                           int n_in, MatrixType type, const Heads& heads = {});
  // Packs a layer as several, each for some of the inputs in order: each then has scales of its
  // own. Their products are added; the first has the bias.
  std::vector<Matrix> linear_by_inputs(const std::string& layer, int n_out, int n_in, int count,
                                       MatrixType type);
  // Packs a layer whose largest outputs have to be exact: in int8 it stays int8.
  LogitMatrices logits(const std::string& norm, const std::string& layer, int n_out, int n_in,
                       MatrixType type);
  // Packs the weight [n_out, n_channels, 3] as a product with three neighbouring moments of all
  // channels. Its type is what is asked for.
  Matrix convolution(const std::string& layer, int n_out, int n_channels, MatrixType type);
  // The norm's numbers are divided by `divisors`, where there are any.
  kernels::LayerNormWeights layer_norm(const std::string& layer, int n,
                                       std::span<const float> divisors = {});
  const float* floats(const std::string& tensor, int count, std::span<const float> divisors = {});

 private:
  // The numbers of layers, one layer after the other; none where there are no weights.
  struct Numbers {
    std::vector<float> weight;  // without the factors
    std::vector<float> bias;    // with them; it may be shorter than the outputs, which then have 0
    std::vector<float> scale;   // [n_out], the factor of each output's weights
  };
  // Numbers whose inputs come from a norm. In int8 its factors are in the weight.
  struct NumbersBehindNorm {
    Numbers numbers;
    InputSpread inputs;
    std::vector<float> factors;
  };

  template <class T>
  T* take(std::size_t count);
  bool writes() const { return memory_ != nullptr && weights_ != nullptr; }
  // Returns the type that the block keeps a layer in.
  MatrixType fitting(MatrixType type, const InputSpread& inputs, std::span<const float> weight);
  Matrix packed(MatrixType type, int n_out, int n_in, Numbers numbers, const Heads& heads = {});
  kernels::Int8Matrix int8(int n_out, int n_in, std::span<const float> weight,
                           std::span<const float> bias);
  kernels::Bfloat16Matrix bfloat16(int n_out, int n_in, std::span<const float> weight,
                                   std::span<const float> bias);
  kernels::Float32Matrix float32(int n_out, int n_in, std::span<const float> weight,
                                 std::span<const float> bias);
  kernels::Float16Matrix float16(int n_out, int n_in, std::span<const float> weight,
                                 std::span<const float> bias, std::span<const float> scale);
  kernels::Int4Matrix preselection(int n_out, int n_in, std::span<const float> weight,
                                   const InputSpread& inputs);
  const float* packed_bias(int n_out, std::span<const float> bias);
  Numbers gather(const std::vector<Part>& parts, int n_out) const;
  NumbersBehindNorm gather_behind(const std::string& norm, const std::vector<Part>& parts,
                                  int n_out, MatrixType type) const;
  InputSpread spread_behind(const std::string& norm) const;
  std::vector<float> read(const std::string& tensor) const;
  // Returns the layer's bias, or zeros.
  std::vector<float> read_bias(const std::string& layer, int count) const;

  std::byte* memory_;
  const Weights* weights_;
  std::size_t size_ = 0;
};

}  // namespace engine::cpu
