#pragma once

#include <ATen/ATen.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/whisper/weights/weights.h"

// A Whisper of random numbers with two layers and two heads a side: the right shapes, no sense.
class ToyWeights {
 public:
  static engine::ModelDims dims() { return {80, 1500, 128, 2, 2, 51865, 448, 128, 2, 2}; }

  ToyWeights() {
    at::manual_seed(4);
    const auto d = dims();
    add("encoder.conv1.weight", {128, 80, 3});
    add("encoder.conv1.bias", {128});
    add("encoder.conv2.weight", {128, 128, 3});
    add("encoder.conv2.bias", {128});
    add("encoder.positional_embedding", {1500, 128});
    add_norm("encoder.ln_post");
    for (int i = 0; i < d.n_audio_layer; ++i) add_block("encoder.blocks." + std::to_string(i));
    add("decoder.token_embedding.weight", {d.n_vocab, 128});
    add("decoder.positional_embedding", {448, 128});
    add_norm("decoder.ln");
    for (int i = 0; i < d.n_text_layer; ++i) {
      const std::string block = "decoder.blocks." + std::to_string(i);
      add_block(block);
      add_norm(block + ".cross_attn_ln");
      add_attention(block + ".cross_attn");
    }
  }

  // The numbers end with this object.
  std::shared_ptr<const engine::Weights> weights() const {
    engine::WeightsContent content;
    content.dims = dims();
    for (const auto& [name, tensor] : tensors_) {
      const auto bytes = static_cast<std::size_t>(tensor.numel()) * sizeof(float);
      content.tensors[name] = {
          engine::DType::f32,
          tensor.sizes().vec(),
          {reinterpret_cast<const std::byte*>(tensor.const_data_ptr<float>()), bytes},
          {}};
    }
    return std::make_shared<const engine::Weights>(std::vector<engine::MappedFile>{},
                                                   std::move(content));
  }

 private:
  void add(const std::string& name, const std::vector<std::int64_t>& shape) {
    tensors_[name] = at::randn(shape) * 0.1;
  }
  void add_linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias = true) {
    add(name + ".weight", {out, in});
    if (bias) add(name + ".bias", {out});
  }
  void add_norm(const std::string& name) {
    add(name + ".weight", {128});
    add(name + ".bias", {128});
  }
  void add_attention(const std::string& name) {
    add_linear(name + ".query", 128, 128);
    add_linear(name + ".key", 128, 128, /*bias=*/false);
    add_linear(name + ".value", 128, 128);
    add_linear(name + ".out", 128, 128);
  }
  void add_block(const std::string& name) {
    add_norm(name + ".attn_ln");
    add_attention(name + ".attn");
    add_norm(name + ".mlp_ln");
    add_linear(name + ".mlp.0", 512, 128);
    add_linear(name + ".mlp.2", 128, 512);
  }

  std::map<std::string, at::Tensor> tensors_;
};
