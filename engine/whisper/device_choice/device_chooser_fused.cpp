#include "engine/cuda_kernels/edge_arguments.h"
#include "engine/whisper/device_choice/device_chooser.h"

// This file chooses tokens on fused kernels.
namespace engine {

bool DeviceChooser::kernels_can(const ChoiceShape& shape) {
  return shape.history == 0 && shape.beam_size <= cuda_kernels::most_beams;
}

DeviceChoice DeviceChooser::choose(StepKernels& kernels, const at::Tensor& logits,
                                   const ChoiceShape& shape, const at::Tensor& numbers) {
  const std::int64_t beams = std::int64_t{shape.searches} * shape.beam_size;
  const auto parts = numbers.split_with_sizes({shape.rows, beams, shape.searches});
  FusedChoice call{
      .logits = logits,
      .numbers = numbers_,
      .reals = reals_,
      .sum_logprobs = sums_,
      .forbidden = forbidden_,
      .pairings = pairings_,
      .slots = parts[0],
      .search_rows = parts[1],
      .beam_sizes = parts[2],
      .beam_size = shape.beam_size,
      .samples = shape.samples,
      .timestamp_begin = specials_.timestamp_begin,
      .eot = specials_.eot,
      .last_position = static_cast<int>(texts_.size(1)) - 1,
      .said = at::empty({4 * shape.rows + 3 * beams}, numbers.options().dtype(at::kInt)),
      .from = at::empty({beams}, numbers.options()),
      .to = at::empty({beams}, numbers.options()),
      .sums = {},
      .scores = {},
      .tokens = {}};
  add_scratch(call);
  kernels.choice_pieces(call);
  kernels.choice_join(call);
  if (shape.searches == 0) return {call.said, {}, {}};
  return {call.said, call.from, call.to};
}

}  // namespace engine
