#include "engine/whisper/bench/roofline.h"

#include <algorithm>

namespace engine {
namespace {

// The bytes of a number, as the engine keeps it.
struct NumberSizes {
  double weight = 4;
  double vocabulary = 4;  // of the last product's weights
  double cross = 4;       // keys and values of the audio
  double self = 4;        // keys and values of the tokens
};

NumberSizes sizes_of(ComputeType type) {
  switch (type) {
    case ComputeType::float32:
      return {4, 4, 4, 4};
    case ComputeType::float16:
    case ComputeType::bfloat16:
      return {2, 2, 2, 2};
    case ComputeType::int8:
      return {1, 0.5, 1, 2};  // kernels/preselection.h: most logits in four bits
  }
  return {};
}

}  // namespace

IdealTime ideal_time(const Work& work, const MachineLimits& limits) {
  const double compute_s = work.operations / limits.operations_per_s;
  const double memory_s = work.bytes / limits.bytes_per_s;
  return {std::max(compute_s, memory_s), compute_s >= memory_s ? Bound::compute : Bound::memory};
}

Work encoder_work(const ModelDims& d, ComputeType type) {
  const double n = d.n_audio_state;
  const double positions = d.n_audio_ctx;
  const double frames = 2 * positions;
  const double first_convolution = 3.0 * d.n_mels * n;
  const double second_convolution = 3 * n * n;
  // A block has query, key, value and output; then the two layers of the MLP, four times as wide.
  const double block = 4 * n * n + 8 * n * n;
  const double cross = 2.0 * d.n_text_layer * n * d.n_text_state;
  const double attention = 2 * positions * positions * n;  // q·Kᵀ and weights·V
  const double per_position = second_convolution + d.n_audio_layer * block + cross;
  const double products =
      frames * first_convolution + positions * per_position + d.n_audio_layer * attention;
  return {2 * products, (first_convolution + per_position) * sizes_of(type).weight};
}

Work step_work(const ModelDims& d, ComputeType type, int batch, int length, bool half_weights) {
  NumberSizes sizes = sizes_of(type);
  if (half_weights) sizes.weight = sizes.vocabulary = 2;
  const double n = d.n_text_state;
  // Self-attention has four matrices, and cross-attention two, since keys and values are there.
  const double blocks = d.n_text_layer * (4 + 2 + 8) * n * n;
  const double vocabulary = n * d.n_vocab;
  const double of_audio = 2.0 * d.n_text_layer * n * d.n_audio_ctx;
  const double of_tokens = 2.0 * d.n_text_layer * n * length;
  return {2.0 * batch * (blocks + vocabulary + of_audio + of_tokens),
          blocks * sizes.weight + vocabulary * sizes.vocabulary +
              batch * (of_audio * sizes.cross + of_tokens * sizes.self)};
}

}  // namespace engine
