#pragma once

#include <ATen/ATen.h>

#include "engine/cuda_kernels/layer_linear.h"
#include "engine/torch/stored_rows.h"

// One call of a kernel each, with its tensors, all of which are on the kernels' device.
namespace engine {

using cuda_kernels::Epilogue;

// A matrix with its bias, as products read it.
struct FusedMatrix {
  StoredRows weight;  // [n, k]
  at::Tensor bias{};  // [n], or undefined
};

// One product with a weight, and what surrounds it. All tensors are dense and of one type, float16
// or bfloat16, but for `logits` and weights in int8.
struct FusedLinear {
  at::Tensor x;  // [rows rounded up to 16, k]
  FusedMatrix matrix;
  at::Tensor norm_weight{};  // [k] of the layer norm before, or undefined
  at::Tensor norm_bias{};    // [k]
  Epilogue epilogue = Epilogue::store;
  at::Tensor out;  // [rows rounded up to 16, n]; append: [.., n / 3]; logits: float32
  // The second and last third of the columns go here where the kernel appends.
  at::Tensor keys{};       // [slots, heads, positions, 64], dense from the heads on
  at::Tensor values{};     // likewise, with the same strides
  at::Tensor slots{};      // [rows] int64
  at::Tensor positions{};  // [rows] int64
  int rows = 0;
};

// Attention of one query in each row.
struct FusedAttention {
  at::Tensor query;  // [rows rounded up to 16, heads·64]; the factor 1/8 is in it
  StoredRows keys;   // [slots, heads, positions, 64], dense from the heads on
  StoredRows values;
  at::Tensor key_bias{};   // [slots, positions] float32, added to the scores; or undefined
  at::Tensor slots;        // [rows] int64
  at::Tensor positions{};  // [rows] int64: a row looks at these and all before; undefined: at all
  at::Tensor out;          // as `query`
  int rows = 0;
  int length = 0;  // the most positions that a row looks at
};

// The beginning of a step: the token that each row took last, and its place.
struct FusedEmbedding {
  at::Tensor numbers;    // [slots, n_numbers] int64, see ChoiceColumns
  at::Tensor slots;      // [rows] int64
  at::Tensor tokens;     // [n_vocab, n]
  at::Tensor places;     // [n_text_ctx, n]
  at::Tensor x;          // [rows rounded up to 16, n]; is written
  at::Tensor positions;  // [rows] int64; is written
};

// A choice of tokens, see DeviceChooser and ChoiceBatch.
struct FusedChoice {
  at::Tensor logits;        // [rows, n_vocab] float32, dense
  at::Tensor numbers;       // [slots + 1, n_numbers] int64; the last slot is nobody's
  at::Tensor reals;         // [slots + 1, n_reals] float64
  at::Tensor sum_logprobs;  // [slots + 1] float32
  at::Tensor forbidden;     // [slots + 1, n_vocab] bool
  at::Tensor pairings;      // [6, 4] int64
  at::Tensor slots;         // [rows] int64
  at::Tensor search_rows;   // [searches·beam_size] int64
  at::Tensor beam_sizes;    // [searches] int64
  int beam_size = 0;        // at most cuda_kernels::most_beams
  bool samples = false;
  int timestamp_begin = 0;
  int eot = 0;
  int last_position = 0;
  // Results.
  at::Tensor said;  // [4·rows + 3·searches·beam_size] int32: a SaidChoice
  at::Tensor from;  // [searches·beam_size] int64: slots whose histories go to others
  at::Tensor to;    // likewise; -1: places that are left over
  // Between the two launches, see add_scratch.
  at::Tensor sums, scores, tokens;
};

// Histories of beams that go from slot to slot, all at once.
struct FusedMove {
  at::Tensor history;  // [n_layer, 2, slots, n_head, n_text_ctx, 64], of any type
  at::Tensor from;     // [searches·beam_size] int64
  at::Tensor to;       // likewise; -1: places that are left over
  int beam_size = 0;
  int length = 0;  // positions that are moved
};

// Returns so many rows rounded up to whole tiles: buffers have as many.
inline std::int64_t whole_tiles(std::int64_t rows) {
  return (rows + cuda_kernels::tile - 1) / cuda_kernels::tile * cuda_kernels::tile;
}

}  // namespace engine
