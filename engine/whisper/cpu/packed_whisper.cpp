#include "engine/whisper/cpu/packed_whisper.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "engine/kernels/attention/attention_layout.h"
#include "engine/whisper/constants.h"
#include "engine/whisper/cpu/block_writer.h"

namespace engine::cpu {
namespace {

static_assert(kernels::head_dim == head_dim, "the kernels' heads are Whisper's");
static_assert(4 * max_width <= kernels::most_inputs, "the kernels have room for rows of fc2");
static_assert(max_attention_width <= kernels::most_inputs, "and for those of all heads");

// The width of a model, and of one of its heads, in the file.
struct Width {
  int state = 0;
  int head = 0;

  Heads from_heads() const { return {Heads::Side::inputs, head}; }
  Heads to_heads() const { return {Heads::Side::outputs, head}; }
  float query_scale() const { return 1 / std::sqrt(static_cast<float>(head)); }
};

SelfAttention self_attention(BlockWriter& block, const std::string& prefix, const Width& width,
                             MatrixType type) {
  const auto [norm, qkv] = block.behind_norm(prefix + "attn_ln",
                                             {{prefix + "attn.query", width.query_scale()},
                                              {prefix + "attn.key"},
                                              {prefix + "attn.value"}},
                                             width.state, width.state, type, width.to_heads());
  return {
      norm, qkv,
      block.linear({{prefix + "attn.out"}}, width.state, width.state, type, width.from_heads())};
}

Mlp mlp(BlockWriter& block, const std::string& prefix, int n_state, MatrixType type,
        int fc2_parts) {
  const auto [norm, fc1] =
      block.behind_norm(prefix + "mlp_ln", {{prefix + "mlp.0"}}, 4 * n_state, n_state, type);
  return {norm, fc1,
          block.linear_by_inputs(prefix + "mlp.2", n_state, 4 * n_state,
                                 type == MatrixType::int8 ? fc2_parts : 1, type)};
}

CrossAttention cross_attention(BlockWriter& block, const std::string& prefix, const Width& width,
                               MatrixType type) {
  const int n_state = width.state;
  const auto [norm, query] = block.behind_norm(prefix + "cross_attn_ln",
                                               {{prefix + "cross_attn.query", width.query_scale()}},
                                               n_state, n_state, type, width.to_heads());
  return {norm, query,
          block.linear({{prefix + "cross_attn.key"}, {prefix + "cross_attn.value"}}, n_state,
                       n_state, type, width.to_heads(), "encoder.ln_post"),
          block.linear({{prefix + "cross_attn.out"}}, n_state, n_state, type, width.from_heads())};
}

// Visits the parts of the model in the order in which they lie in memory.
PackedWhisper walk(BlockWriter& block, const ModelDims& dims, MatrixType type) {
  PackedWhisper packed;
  packed.dims = dims;
  packed.type = type;
  const MatrixType first_type = type == MatrixType::int8 ? MatrixType::bfloat16 : type;
  const int n_audio = dims.n_audio_state;
  const Width audio{n_audio, n_audio / dims.n_audio_head};
  packed.conv1 = block.convolution("encoder.conv1", n_audio, dims.n_mels, first_type);
  packed.conv2 = block.convolution("encoder.conv2", n_audio, n_audio, first_type);
  packed.audio_positions = block.floats("encoder.positional_embedding", dims.n_audio_ctx * n_audio);
  for (int i = 0; i < dims.n_audio_layer; ++i) {
    const std::string prefix = "encoder.blocks." + std::to_string(i) + ".";
    packed.encoder.push_back({self_attention(block, prefix, audio, i == 0 ? first_type : type),
                              mlp(block, prefix, n_audio, type, 1)});
  }
  packed.ln_post = block.layer_norm("encoder.ln_post", n_audio);

  const int n_text = dims.n_text_state;
  const Width text{n_text, n_text / dims.n_text_head};
  packed.text_positions = block.floats("decoder.positional_embedding", dims.n_text_ctx * n_text);
  for (int i = 0; i < dims.n_text_layer; ++i) {
    const std::string prefix = "decoder.blocks." + std::to_string(i) + ".";
    packed.decoder.push_back({self_attention(block, prefix, text, type),
                              cross_attention(block, prefix, text, type),
                              mlp(block, prefix, n_text, type, Mlp::most_parts)});
  }
  const LogitMatrices logits =
      block.logits("decoder.ln", "decoder.token_embedding", dims.n_vocab, n_text, type);
  packed.ln = logits.norm;
  packed.to_logits = logits.matrix;
  packed.preselection = logits.preselection;
  return packed;
}

std::shared_ptr<std::byte> allocate(std::size_t size) {
  void* memory = std::aligned_alloc(BlockWriter::alignment, size);
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<std::byte*>(memory), [](std::byte* p) { std::free(p); }};
}

}  // namespace

MatrixType exact_type(const Weights& weights) {
  const auto rounds = [](const auto& named) {
    const auto& [name, tensor] = named;
    return name.ends_with(".weight") && tensor.shape.size() > 1 && tensor.dtype != DType::f16;
  };
  return std::ranges::any_of(weights.tensors(), rounds) ? MatrixType::float32 : MatrixType::float16;
}

std::size_t packed_size(const Weights& weights, MatrixType type) {
  // Other types than int8 do not depend on what the weights are.
  BlockWriter measure(nullptr, type == MatrixType::int8 ? &weights : nullptr);
  walk(measure, weights.dims(), type);
  return measure.size();
}

PackedWhisper view_packed(std::byte* block, const ModelDims& dims, MatrixType type) {
  BlockWriter reader(block, nullptr);
  return walk(reader, dims, type);
}

void pack_whisper_into(std::byte* block, const Weights& weights, MatrixType type) {
  BlockWriter writer(block, &weights);
  walk(writer, weights.dims(), type);
}

PackedWhisper pack_whisper(const Weights& weights, MatrixType type) {
  const auto memory = allocate(packed_size(weights, type));
  pack_whisper_into(memory.get(), weights, type);
  PackedWhisper packed = view_packed(memory.get(), weights.dims(), type);
  packed.owner = memory;
  return packed;
}

}  // namespace engine::cpu
