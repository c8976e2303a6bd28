#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/weights/weights.h"

// A Whisper of random numbers with two layers and two heads a side: the right shapes, no sense.
class ToyWeights {
 public:
  static engine::ModelDims dims() { return {80, 1500, 128, 2, 2, 51865, 448, 128, 2, 2}; }

  ToyWeights() {
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
  //   heads  of each layer
  std::shared_ptr<const engine::Weights> weights(int heads = 2) const {
    engine::WeightsContent content;
    content.dims = dims();
    content.dims.n_audio_head = content.dims.n_text_head = heads;
    for (const auto& [name, tensor] : tensors_) {
      content.tensors[name] = {
          engine::DType::f32, tensor.shape, std::as_bytes(std::span(tensor.numbers)), {}};
    }
    return std::make_shared<const engine::Weights>(std::vector<engine::MappedFile>{},
                                                   std::move(content));
  }

 private:
  struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
  };

  // Returns a number of ±0.17, whose standard deviation is 0.1. There are seven million, so it is a
  // generator that takes no time (Knuth's MMIX).
  float next_number() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    const auto bits = static_cast<std::int32_t>(state_ >> 32);
    return static_cast<float>(bits) * (0.17320508F / 2147483648.0F);
  }
  void add(const std::string& name, std::vector<std::int64_t> shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    Tensor& tensor = tensors_[name];
    tensor.shape = std::move(shape);
    tensor.numbers.resize(static_cast<std::size_t>(count));
    for (float& number : tensor.numbers) number = next_number();
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

  std::uint64_t state_ = 4;
  std::map<std::string, Tensor> tensors_;
};
