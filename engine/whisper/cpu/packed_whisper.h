#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/kernels/rows.h"
#include "engine/kernels/top_logits/preselection.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/cpu/matrix.h"
#include "engine/whisper/weights/weights.h"

namespace engine::cpu {

// The query's rows carry the factor 1/√ of a head's width. All heads together are n_head·64 numbers
// wide, which is n_state unless the model's heads are narrower (narrow_heads.h).
struct SelfAttention {
  kernels::LayerNormWeights norm;
  Matrix qkv;  // [3·n_head·64, n_state]
  Matrix out;  // [n_state, n_head·64]
};

struct Mlp {
  // In int8 the decoder's fc2 is in so many parts, of n_state inputs each: with scales of their own
  // rounding takes half as much from the decoder of base. In its encoder that would change little,
  // and products with many rows would take longer. Elsewhere fc2 is in one part.
  static constexpr int most_parts = 4;

  kernels::LayerNormWeights norm;
  Matrix fc1;               // [4·n_state, n_state]
  std::vector<Matrix> fc2;  // [n_state, 4·n_state] in parts of its inputs, whose products are added
};

struct CrossAttention {
  kernels::LayerNormWeights norm;
  Matrix query;      // [n_head·64, n_state]
  Matrix key_value;  // [2·n_head·64, n_state], of the encoder's output
  Matrix out;
};

struct AudioBlock {
  SelfAttention attention;
  Mlp mlp;
};

struct DecoderBlock {
  SelfAttention attention;
  CrossAttention cross;
  Mlp mlp;
};

// A Whisper model in one type of matrix, packed for the CPU's kernels. Pointers lead into one block
// of memory, which `owner` keeps.
//
// A model of type int8 has some layers in bfloat16: those that int8 would be too coarse for
// (int8_rounding.h tells by their numbers), the convolutions, and the attention of the encoder's
// first block. The latter looks at the convolutions' output: a few of its channels are ten times as
// large as the others, which no number of the model says, and quantizing them was most of all error
// in the encoder's output (base: 0.048 with it, 0.028 without, relative).
struct PackedWhisper {
  ModelDims dims;
  MatrixType type = MatrixType::int8;
  // The convolutions are products, [n_state, 3·n_mels] and [n_state, 3·n_state], with the inputs of
  // one moment together.
  Matrix conv1;
  Matrix conv2;
  const float* audio_positions = nullptr;  // [n_audio_ctx, n_audio_state]
  std::vector<AudioBlock> encoder;
  kernels::LayerNormWeights ln_post;
  const float* text_positions = nullptr;  // [n_text_ctx, n_text_state]
  std::vector<DecoderBlock> decoder;
  kernels::LayerNormWeights ln;
  Matrix to_logits;                   // [n_vocab, n_text_state]
  kernels::Int4Matrix preselection;   // the same in half as many bytes; int8 alone has it
  int n_preselected = n_text_tokens;  // so many tokens, the first, are text alone
  std::shared_ptr<const std::byte> owner;
};

// Returns the type in which nothing of these weights is rounded: float16 where that is what the
// linear layers have in the file, which is half as much to read at each step, else float32.
MatrixType exact_type(const Weights& weights);

// Returns the bytes of a packed model.
std::size_t packed_size(const Weights& weights, MatrixType type);
// Returns the model that lies packed at `block`, 64-byte aligned; it has no owner.
PackedWhisper view_packed(std::byte* block, const ModelDims& dims, MatrixType type);
// Convert and pack a model into `block`, or into memory of its own. They throw Exception
// (damaged_model) where a weight is not a number.
void pack_whisper_into(std::byte* block, const Weights& weights, MatrixType type);
PackedWhisper pack_whisper(const Weights& weights, MatrixType type);

}  // namespace engine::cpu
