#pragma once

#include "engine/cuda_kernels/choice_join.h"
#include "engine/cuda_kernels/choice_pieces.h"
#include "engine/cuda_kernels/fused_calls.h"
#include "engine/cuda_kernels/step_edges.h"

// The arguments of the kernels around the layers from tensors, the same for cards and for the CPU.
namespace engine::cuda_kernels {

// Throw c10::Error where shapes or types do not fit.
void check(const FusedEmbedding& call);
ChoiceArguments arguments_of(const FusedChoice& call);
MoveArguments arguments_of(const FusedMove& call);

template <class T>
EmbeddingArguments<T> arguments_of(const FusedEmbedding& call) {
  check(call);
  return {.numbers = call.numbers.const_data_ptr<std::int64_t>(),
          .slots = call.slots.const_data_ptr<std::int64_t>(),
          .tokens = static_cast<const T*>(call.tokens.const_data_ptr()),
          .places = static_cast<const T*>(call.places.const_data_ptr()),
          .x = static_cast<T*>(call.x.data_ptr()),
          .positions = call.positions.data_ptr<std::int64_t>(),
          .n = static_cast<int>(call.tokens.size(1))};
}

// The grid of a launch.
struct Grid {
  int x = 1;
  int y = 1;
  int z = 1;
};
inline Grid grid_of(const FusedEmbedding& call) {
  return {.x = static_cast<int>(call.slots.numel())};
}
inline Grid grid_of_pieces(const ChoiceArguments& a) {
  return {.x = count_all_pieces(a), .y = a.rows};
}
inline Grid grid_of_join(const ChoiceArguments& a) {
  return {.x = a.rows + a.searches};
}
Grid grid_of(const FusedMove& call, const MoveArguments& a);

}  // namespace engine::cuda_kernels

namespace engine {

// Gives the call its memory between the launches, which the device's allocator has.
void add_scratch(FusedChoice& call);

}  // namespace engine
