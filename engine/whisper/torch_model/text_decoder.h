#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/torch/linear.h"
#include "engine/whisper/torch_model/kv_cache.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

class StepKernels;
struct FusedDecoderWeights;

// The cross-attention's keys and values of one encoded window, computed once and shared by every
// row and every try at that window. They are immutable.
struct CrossAttention {
  std::vector<StoredRows> keys;    // per layer [n_head, rows, 64]
  std::vector<StoredRows> values;  // likewise
  at::Tensor key_bias{};           // [rows] float32, of a short window; or undefined
};

// The heads whose cross-attention is wanted, and what was found.
struct CrossCapture {
  std::span<const std::pair<int, int>> heads;  // (layer, head)
  std::vector<at::Tensor> weights;  // of each [rows·t, the window's rows] float32, on the device
};

// The rows of one decode in a step of several.
struct StepPart {
  KvCache* cache = nullptr;
  const CrossAttention* audio = nullptr;
};

// A step takes one token of each of many rows, of any windows; see StepBatch.
struct StepInputs {
  at::Tensor tokens;       // [rows] int64, on the device like all of these
  at::Tensor positions;    // [rows]
  at::Tensor query_rows;   // [windows·rows of each]
  at::Tensor row_queries;  // [rows]
  at::Tensor wanted;       // [n]: rows whose logits are wanted
  int windows = 0;
  int length = 0;       // self-attention looks at the first so many positions
  at::Tensor history;   // [n_layer, 2, slots, n_head, n_text_ctx, 64], written at `positions`
  StoredRows audio;     // [n_layer, 2, slots, n_head, rows of a window, 64]
  at::Tensor key_bias;  // [slots, rows of a window] float32; undefined: all windows are full
  // Reads windows in int8, and is not null where they are; libtorch would bring all of them to
  // numbers first.
  StepKernels* kernels = nullptr;
};

// The prompts of several decodes as one batch; see PromptBatch.
struct PromptInputs {
  at::Tensor tokens;    // [prompts, length] int64, on the device like all of these
  at::Tensor slots;     // [prompts] int64: of the histories that they become
  at::Tensor windows;   // [prompts] int64
  at::Tensor wanted;    // [n] int64: of the flat tokens, those whose logits are wanted
  at::Tensor history;   // as in StepInputs, written from the first position on
  StoredRows audio;     // as in StepInputs
  at::Tensor key_bias;  // as in StepInputs
};

// Whisper's decoder (Radford et al. 2022, section 2.2; openai/whisper model.py `TextDecoder`).
class TextDecoder {
 public:
  // On a CPU `weights` stays as long as the decoder: the token embedding is read from it in place.
  TextDecoder(std::shared_ptr<const Weights> weights, const Placement& placement);

  // encoded [rows, n_audio_state]
  CrossAttention cross_attention(const at::Tensor& encoded) const;

  // Runs one pass over new tokens, which extend the cache: either the prompt of row 0 (rows = 1, an
  // empty cache) or one token for every row.
  //   tokens  [rows, t]            int64, on any device
  //   capture what to keep of the cross-attention, or nothing
  //   returns [rows, t, n_text_state], before the logits
  at::Tensor operator()(const at::Tensor& tokens, const CrossAttention& audio, KvCache& cache,
                        CrossCapture* capture = nullptr) const;

  // Runs one token for every row of several decodes: one product with each weight, and attention of
  // each by itself.
  //   tokens  [rows of the first + rows of the second + …]  int64, on any device
  //   returns [rows, n_text_state], before the logits
  at::Tensor step(const at::Tensor& tokens, std::span<const StepPart> parts) const;

  // Runs such a step where all histories and windows lie in one place each.
  //   returns [n wanted, n_vocab] float32, on the device
  at::Tensor step(const StepInputs& inputs) const;

  // Computes the cross-attention's keys and values of several windows. It can be recorded.
  //   encoded [n, rows, n_audio_state]
  //   slots   [n] int64, on the device: their places
  //   audio   as in StepInputs, of all rows of a slot; is written, its other rows with zeros
  void store_cross_attention(const at::Tensor& encoded, const at::Tensor& slots,
                             const StoredRows& audio) const;

  // Reads prompts as one batch. It can be recorded.
  //   returns [n wanted, n_vocab] float32, on the device
  at::Tensor read_prompts(const PromptInputs& inputs) const;

  // Returns its own weights, as fused kernels read them; on a CPU copies, as its own are packed.
  FusedDecoderWeights fused_weights() const;

  // Computes x [n, n_text_state] → [n, n_vocab] float32, on the CPU: what is done with them is done
  // there. On a GPU this is where a step waits for the device, once.
  at::Tensor logits(const at::Tensor& x) const;

 private:
  struct Block {
    LayerNorm attn_ln;
    Linear qkv;
    Linear out;
    LayerNorm cross_attn_ln;
    Linear cross_query;
    Linear cross_kv;
    Linear cross_out;
    LayerNorm mlp_ln;
    Linear fc1;
    Linear fc2;
  };
  Block load_block(int layer) const;
  // qkv [rows, t, 3·n_head·64], query [rows, t, n_head·64]
  static at::Tensor self_attention(int layer, const at::Tensor& qkv, KvCache& cache);
  static at::Tensor cross_attention(int layer, const at::Tensor& query, const CrossAttention& audio,
                                    CrossCapture* capture);
  static at::Tensor prompt_self_attention(const at::Tensor& qkv, const at::Tensor& history,
                                          const at::Tensor& slots);
  static at::Tensor prompt_cross_attention(const at::Tensor& query, const StoredRows& audio,
                                           const at::Tensor& windows, const at::Tensor& mask);
  at::Tensor step_self_attention(const Block& block, const at::Tensor& x, const at::Tensor& history,
                                 const at::Tensor& rows, const at::Tensor& mask,
                                 const at::Tensor& positions) const;
  // query [rows, n_head·64], audio [2, slots, n_head, rows of a window, 64]
  //   mask  [windows, 1, 1, rows of a window], or undefined
  static at::Tensor step_cross_attention(const at::Tensor& query, const at::Tensor& audio,
                                         const StepInputs& inputs, const at::Tensor& mask);
  //   windows  [rows] int64
  static at::Tensor step_int8_attention(const at::Tensor& query, const StoredRows& audio,
                                        const at::Tensor& windows, const StepInputs& inputs);
  // Returns what is added to the scores of each window, in the compute type; undefined for an
  // undefined bias [windows, rows].
  at::Tensor mask_of(const at::Tensor& key_bias) const;

  std::shared_ptr<const Weights> weights_;  // nullptr on a GPU, once loaded
  Placement placement_;
  // [n_vocab, n_text_state], on a CPU in the file's own type; on a GPU it is to_logits_'s weight.
  at::Tensor token_embedding_;
  at::Tensor positional_embedding_;  // [448, n_text_state]
  std::vector<Block> blocks_;
  LayerNorm ln_;
  Linear to_logits_;
};

}  // namespace engine
