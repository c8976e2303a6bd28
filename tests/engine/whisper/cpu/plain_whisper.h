#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/whisper/cpu/window_rows.h"
#include "engine/whisper/weights/weights.h"

namespace engine::cpu {

// Rows of floats, one after the other.
struct Floats {
  Floats(int count, int width)
      : rows(count),
        columns(width),
        data(static_cast<std::size_t>(count) * static_cast<std::size_t>(width)) {}

  float* row(int i) { return data.data() + static_cast<std::ptrdiff_t>(i) * columns; }
  const float* row(int i) const { return data.data() + static_cast<std::ptrdiff_t>(i) * columns; }

  int rows;
  int columns;
  std::vector<float> data;
};

Floats random_rows(int rows, int columns, float deviation, unsigned seed);

// Returns |found - expected| / |expected|.
double difference(const Floats& found, const Floats& expected);

// A small Whisper of random numbers, which float16 has, and openai/whisper's model.py for it in
// plain float32: what the int8 network has to come near to.
class PlainWhisper {
 public:
  PlainWhisper();

  static ModelDims dims() {
    return {.n_mels = 80,
            .n_audio_ctx = 100,
            .n_audio_state = 128,
            .n_audio_head = 2,
            .n_audio_layer = 2,
            .n_vocab = 300,
            .n_text_ctx = 64,
            .n_text_state = 128,
            .n_text_head = 2,
            .n_text_layer = 2};
  }

  // The tensors point into this object.
  std::shared_ptr<const Weights> weights() const;
  const std::vector<float>& tensor(const std::string& name) const { return tensors_.at(name).data; }
  std::vector<float>& tensor(const std::string& name) { return tensors_.at(name).data; }

  // mel      [n_mels, 2·n_audio_ctx]
  // returns  [n_audio_ctx, n_audio_state], or those of the rows
  Floats encode(const Floats& mel, const WindowRows& rows = WindowRows(dims().n_audio_ctx)) const;

  struct Decoded {
    Floats logits;                      // [tokens, n_vocab]
    std::map<int, Floats> attention{};  // by layer · n_text_head + head: [tokens, n_audio_ctx]
  };
  Decoded decode(std::span<const int> tokens, const Floats& encoded) const;

 private:
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> data;
  };

  void add(const std::string& name, std::vector<std::int64_t> shape, float deviation,
           float mean = 0);
  void add_linear(const std::string& name, std::int64_t out, std::int64_t in, float gain = 1);
  void add_norm(const std::string& name);
  void add_attention(const std::string& name);
  void add_block(const std::string& name);

  Floats linear(const Floats& x, const std::string& layer) const;
  Floats norm(const Floats& x, const std::string& layer) const;
  Floats convolution(const Floats& x, const std::string& layer, int stride) const;
  // Adds the attention of x to `other`, or to itself where there is none. A key's bias is added to
  // its scores.
  void attend(Floats& x, const std::string& block, const Floats* other, bool is_causal,
              std::vector<Floats>* weights = nullptr, const kernels::KeyBias& bias = {}) const;
  void add_mlp(Floats& x, const std::string& block) const;

  std::map<std::string, Tensor> tensors_;
};

}  // namespace engine::cpu
