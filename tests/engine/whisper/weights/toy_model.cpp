#include "tests/engine/whisper/weights/toy_model.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace toy {
namespace {

using Shape = std::vector<std::int64_t>;

// Values from the tensor's name, so that two tensors mixed up are seen; make_fixtures.py has the
// same rule.
Tensor make(const std::string& name, Shape shape) {
  std::size_t n = 1;
  for (const auto dimension : shape) n *= static_cast<std::size_t>(dimension);
  int number = 0;
  for (const char c : name) number += c;
  Tensor tensor{std::move(shape), std::vector<float>(n)};
  for (float& value : tensor.values) {
    value = static_cast<float>(number % 255 - 127) / 64;
    number += 37;
  }
  return tensor;
}

// Exact for the values that `make` gives: zero, or normal with at most 8 significant bits; and for
// infinity and NaN.
std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value == 0) return 0;
  if (std::isnan(value)) return 0x7E00;
  if (std::isinf(value)) return value < 0 ? 0xFC00 : 0x7C00;
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | ((bits >> 23 & 0xffu) - 112u) << 10 |
                                    (bits >> 13 & 0x3ffu));
}

}  // namespace

engine::ModelDims dims() {
  engine::ModelDims d;
  d.n_mels = 4;
  d.n_audio_ctx = 6;
  d.n_audio_state = 32;
  d.n_audio_head = 2;
  d.n_audio_layer = 2;
  d.n_vocab = 11;
  d.n_text_ctx = 5;
  d.n_text_state = 32;
  d.n_text_head = 2;
  d.n_text_layer = 1;
  return d;
}

Tensors tensors(const engine::ModelDims& d) {
  Tensors all;
  const auto add = [&](const std::string& name, const Shape& shape) {
    all[name] = make(name, shape);
  };
  const auto layer = [&](const std::string& name, const Shape& shape) {
    add(name + ".weight", shape);
    add(name + ".bias", {shape[0]});
  };
  const std::int64_t n = d.n_audio_state;
  const auto attention = [&](const std::string& name) {
    for (const char* part : {".query", ".value", ".out"}) layer(name + part, {n, n});
    add(name + ".key.weight", {n, n});
    layer(name + "_ln", {n});
  };
  const auto blocks = [&](const std::string& side, int layers) {
    for (int i = 0; i < layers; ++i) {
      const std::string block = side + ".blocks." + std::to_string(i) + ".";
      attention(block + "attn");
      if (side == "decoder") attention(block + "cross_attn");
      layer(block + "mlp.0", {4 * n, n});
      layer(block + "mlp.2", {n, 4 * n});
      layer(block + "mlp_ln", {n});
    }
  };
  layer("encoder.conv1", {n, d.n_mels, 3});
  layer("encoder.conv2", {n, n, 3});
  add("encoder.positional_embedding", {d.n_audio_ctx, n});
  blocks("encoder", d.n_audio_layer);
  layer("encoder.ln_post", {n});
  add("decoder.token_embedding.weight", {d.n_vocab, n});
  add("decoder.positional_embedding", {d.n_text_ctx, n});
  blocks("decoder", d.n_text_layer);
  layer("decoder.ln", {n});
  return all;
}

std::string encode(const std::vector<float>& values, engine::DType dtype) {
  std::string out;
  for (const float value : values) {
    if (dtype == engine::DType::f32) put(out, value);
    if (dtype == engine::DType::f16) put(out, to_half(value));
    if (dtype == engine::DType::bf16) {
      put(out, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
    }
  }
  return out;
}

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

engine::Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const engine::Exception& e) {
    return e.error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

void expect_same(const engine::TensorTable& table, const Tensors& expected, float tolerance) {
  EXPECT_EQ(table.size(), expected.size());
  for (const auto& [name, tensor] : expected) {
    const auto found = table.find(name);
    ASSERT_NE(found, table.end()) << name;
    EXPECT_EQ(found->second.shape, tensor.shape) << name;
    std::vector<float> values(tensor.values.size());
    to_float(found->second, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], tensor.values[i], tolerance) << name << " at " << i;
    }
  }
}

}  // namespace toy
