#pragma once

#include <string_view>
#include <vector>

#include "engine/error.h"
#include "engine/whisper/bench/roofline.h"

// The time that a card should need for a model, from figures that its maker has published. A figure
// that is measured on such a card later can be held against it.
namespace engine {

// A card by its data sheet. Products are dense, with sums in float32.
struct Card {
  std::string_view name;   // as `scribed bench --model-of` takes it
  std::string_view title;  // "NVIDIA H100 SXM5"
  double half_operations_per_s = 0;
  double single_operations_per_s = 0;
  double bytes_per_s = 0;
  double memory_bytes = 0;
};

// Returns the card of this name; invalid_option for another.
Result<Card> card_of(std::string_view name);

// The time that a kernel of a CUDA graph takes besides its own work (A. Gray, "Getting Started with
// CUDA Graphs", developer.nvidia.com 2019: 3.4 µs a kernel of 2.9 µs).
inline constexpr double launch_s = 0.5e-6;

// The kernels of a step: so many in each layer of the decoder, and so many besides.
struct StepPath {
  int per_layer = 0;
  int per_step = 0;
  int launches(const ModelDims& dims) const { return per_layer * dims.n_text_layer + per_step; }
};

// Steps of libtorch's own operations as text_decoder_step.cpp has them, 17 a layer; besides, the
// embedding, the logits and a greedy choice of tokens (batched_model_test counts them).
inline constexpr StepPath libtorch_path{17, 58};

// Weights in int8 are brought to float16 for each of a layer's six products: written and read again
// in that type. The windows' attention is one kernel in place of three operations.
inline constexpr StepPath libtorch_int8_path{21, 59};
inline constexpr double libtorch_int8_bytes = 4;  // of a weight, beside the one that it has

// Steps of fused kernels (engine/cuda_kernels): self-attention, cross-attention and MLP of a layer
// take eight; embedding, last norm, logits and choice four.
inline constexpr StepPath fused_path{8, 4};

struct CardStep {
  int batch = 1;
  Work work;
  IdealTime ideal;        // without launches
  double fused_s = 0;     // with those of fused_path
  double libtorch_s = 0;  // with those of libtorch's operations
  int libtorch_launches = 0;
  double real_time = 0;  // seconds of speech a second, on the fused path
  bool fits = true;      // weights, keys and values of all windows fit into the card's memory
};

struct CardModel {
  Card card;
  Work encoder;
  IdealTime encoder_ideal;
  std::vector<CardStep> steps;
};

// Steps are in the middle of `tokens_of_a_window`, and real_time counts that many and one encoder
// pass for each window of 30 seconds.
inline constexpr int tokens_of_a_window = 100;
CardModel model_of(const Card& card, const ModelDims& dims, ComputeType type,
                   const std::vector<int>& batches);

}  // namespace engine
