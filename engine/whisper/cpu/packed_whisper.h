#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/kernels/gemm/packed_matrix.h"
#include "engine/kernels/rows.h"
#include "engine/kernels/top_logits/preselection.h"
#include "engine/whisper/weights/weights.h"

namespace engine::cpu {

// The query's rows carry the factor 1/√head_dim.
struct SelfAttention {
  kernels::LayerNormWeights norm;
  kernels::Int8Matrix qkv;  // [3·n_state, n_state]
  kernels::Int8Matrix out;
};

struct Mlp {
  kernels::LayerNormWeights norm;
  kernels::Int8Matrix fc1;  // [4·n_state, n_state]
  kernels::Int8Matrix fc2;
};

// The attention of the encoder's first block stays in bfloat16. It looks at the convolutions'
// output: a few of its channels are ten times as large as the others, and quantizing them was most
// of all error in the encoder's output (base: 0.048 with it, 0.028 without, relative).
struct WideAttention {
  kernels::LayerNormWeights norm;
  kernels::Bfloat16Matrix qkv;
  kernels::Bfloat16Matrix out;
};

struct CrossAttention {
  kernels::LayerNormWeights norm;
  kernels::Int8Matrix query;
  kernels::Int8Matrix key_value;  // [2·n_state, n_state], of the encoder's output
  kernels::Int8Matrix out;
};

struct DecoderBlock {
  SelfAttention attention;
  CrossAttention cross;
  Mlp mlp;
};

// A Whisper model in int8, packed for the CPU's kernels; convolutions in bfloat16. Pointers lead
// into one block of memory, which `owner` keeps.
struct PackedWhisper {
  ModelDims dims;
  // The convolutions are products, [n_state, 3·n_mels] and [n_state, 3·n_state], with the inputs of
  // one moment together.
  kernels::Bfloat16Matrix conv1;
  kernels::Bfloat16Matrix conv2;
  const float* audio_positions = nullptr;  // [n_audio_ctx, n_audio_state]
  WideAttention first_attention;
  std::vector<SelfAttention> audio_attention;  // of the blocks after the first
  std::vector<Mlp> audio_mlp;                  // of all
  kernels::LayerNormWeights ln_post;
  const float* text_positions = nullptr;  // [n_text_ctx, n_text_state]
  std::vector<DecoderBlock> decoder;
  // The last layer norm's weights differ much, so the larger part of them is in the columns of
  // to_logits and preselection: one scale for all inputs of a row then loses half as much.
  kernels::LayerNormWeights ln;
  kernels::Int8Matrix to_logits;     // [n_vocab, n_text_state]
  kernels::Int4Matrix preselection;  // the same in half as many bytes
  std::shared_ptr<const std::byte> owner;
};

// Returns the bytes of a packed model.
std::size_t packed_size(const ModelDims& dims);
// Returns the model that lies packed at `block`, 64-byte aligned; it has no owner.
PackedWhisper view_packed(std::byte* block, const ModelDims& dims);
// Quantize and pack a model into `block`, or into memory of its own. They throw Exception
// (damaged_model) where a weight is not a number.
void pack_whisper_into(std::byte* block, const Weights& weights);
PackedWhisper pack_whisper(const Weights& weights);

}  // namespace engine::cpu
