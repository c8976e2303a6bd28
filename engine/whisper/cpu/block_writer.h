#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/kernels/rows.h"
#include "engine/kernels/top_logits/preselection.h"
#include "engine/whisper/cpu/matrix.h"
#include "engine/whisper/weights/weights.h"

namespace engine::cpu {

// A linear layer whose tensors are named `layer`.weight and `layer`.bias; all of it is multiplied
// by `factor`.
struct Part {
  std::string layer;
  float factor = 1;
};

// Lays the parts of a model one after the other into a block of memory and hands out views of them.
// Without memory it only measures; without weights the block is filled already.
class BlockWriter {
 public:
  static constexpr std::size_t alignment = 64;

  BlockWriter(std::byte* memory, const Weights* weights) : memory_(memory), weights_(weights) {}

  // Returns the bytes so far, whole units of `alignment`.
  std::size_t size() const { return size_; }

  // Packs layers [n_out, n_in] with the same input as one: their outputs follow each other. A bias
  // that the model does not have is 0. In float16 factors are powers of two.
  Matrix linear(const std::vector<Part>& parts, int n_out, int n_in, MatrixType type);
  // Returns, by input, the factors that go from a layer norm's weights into the columns of the
  // matrix behind it, so that both are easier to round (SmoothQuant, Xiao et al. 2023): |w|^¾,
  // where 1 would be all of it and 0 nothing; more where the bias would else be larger than what
  // comes from other inputs.
  std::vector<float> column_factors(const std::string& layer, int n) const;
  // Packs a matrix without a bias; there may be no factors.
  Matrix matrix(const std::string& tensor, int n_out, int n_in,
                std::span<const float> column_factors, MatrixType type);
  kernels::Int4Matrix preselection(const std::string& tensor, int n_out, int n_in,
                                   std::span<const float> column_factors);
  // Packs the weight [n_out, n_channels, 3] as a product with three neighbouring moments of all
  // channels.
  Matrix convolution(const std::string& layer, int n_out, int n_channels, MatrixType type);
  // The norm's numbers are divided by the factors of the columns behind it, where there are any.
  kernels::LayerNormWeights layer_norm(const std::string& layer, int n,
                                       std::span<const float> column_factors = {});
  const float* floats(const std::string& tensor, int count, std::span<const float> divisors = {});

 private:
  template <class T>
  T* take(std::size_t count);
  // Without a scale it is 1.
  Matrix packed(MatrixType type, int n_out, int n_in, std::span<const float> weight,
                std::span<const float> bias, std::span<const float> scale = {});
  kernels::Int8Matrix int8(int n_out, int n_in, std::span<const float> weight,
                           std::span<const float> bias);
  kernels::Bfloat16Matrix bfloat16(int n_out, int n_in, std::span<const float> weight,
                                   std::span<const float> bias);
  kernels::Float32Matrix float32(int n_out, int n_in, std::span<const float> weight,
                                 std::span<const float> bias);
  kernels::Float16Matrix float16(int n_out, int n_in, std::span<const float> weight,
                                 std::span<const float> bias, std::span<const float> scale);
  const float* packed_bias(int n_out, std::span<const float> bias);
  // The numbers of layers, one layer after the other; none where there are no weights.
  struct Numbers {
    std::vector<float> weight;
    std::vector<float> bias;
    std::vector<float> scale;  // [n_out], the factors that the weights are without
  };
  std::vector<float> read_columns(const std::string& tensor, std::span<const float> factors) const;
  Numbers gather(const std::vector<Part>& parts, int n_out, MatrixType type) const;
  std::vector<float> read(const std::string& tensor) const;
  // Returns the layer's bias, or zeros.
  std::vector<float> read_bias(const std::string& layer, int count) const;

  std::byte* memory_;
  const Weights* weights_;
  std::size_t size_ = 0;
};

}  // namespace engine::cpu
