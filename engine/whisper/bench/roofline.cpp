#include "engine/whisper/bench/roofline.h"

#include <algorithm>

#include "engine/whisper/model/size_of.h"

namespace engine {
namespace {

NumberSizes all_of(double bytes) {
  return {bytes, bytes, bytes, bytes};
}

}  // namespace

NumberSizes sizes_on_cpu(ComputeType type, bool half_weights) {
  switch (type) {
    case ComputeType::float32:
      return half_weights ? NumberSizes{2, 2, 4, 4} : all_of(4);
    case ComputeType::float16:
    case ComputeType::bfloat16:
      return all_of(2);
    case ComputeType::int8:
      return {1, 0.5, 1, 2};  // kernels/preselection.h: most logits in four bits
  }
  return {};
}

// Scales are not counted: one for every row of a weight, and for 64 numbers of a key or value.
NumberSizes sizes_on_gpu(ComputeType type) {
  if (type == ComputeType::int8) return {1, 2, 1, 2};
  return all_of(type == ComputeType::float32 ? 4 : 2);
}

IdealTime ideal_time(const Work& work, const MachineLimits& limits) {
  const double compute_s = work.operations / limits.operations_per_s;
  const double memory_s = work.bytes / limits.bytes_per_s;
  return {std::max(compute_s, memory_s), compute_s >= memory_s ? Bound::compute : Bound::memory};
}

Work encoder_work(const ModelDims& d, const NumberSizes& sizes) {
  const platform::ModelSize size = size_of(d);
  const double positions = d.n_audio_ctx;
  const double frames = 2 * positions;
  const auto first_convolution = static_cast<double>(first_convolution_weights(size, d.n_mels));
  const auto per_position = static_cast<double>(second_convolution_weights(size) +
                                                encoder_layer_weights(size) + cross_weights(size));
  const double attention = 2 * positions * positions * size.d_model;  // q·Kᵀ and weights·V
  const double products =
      frames * first_convolution + positions * per_position + d.n_audio_layer * attention;
  return {2 * products, (first_convolution + per_position) * sizes.weight};
}

Work step_work(const ModelDims& d, const NumberSizes& sizes, int batch, int length) {
  const platform::ModelSize size = size_of(d);
  const auto layers = static_cast<double>(decoder_layer_weights(size));
  const auto vocabulary = static_cast<double>(vocabulary_weights(size));
  const auto of_audio = static_cast<double>(keys_and_values(size, d.n_audio_ctx));
  const auto of_tokens = static_cast<double>(keys_and_values(size, length));
  return {2.0 * batch * (layers + vocabulary + of_audio + of_tokens),
          layers * sizes.weight + vocabulary * sizes.vocabulary +
              batch * (of_audio * sizes.cross + of_tokens * sizes.self)};
}

}  // namespace engine
