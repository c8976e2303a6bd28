#include "tests/engine/whisper/cpu/plain_whisper.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

namespace engine::cpu {
namespace {

constexpr int head_width = 64;

// Returns a number that float16 has, next to this one.
float shortened(float value) {
  if (std::abs(value) < 0x1p-14F) return 0;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFFE000);
}

void gelu(Floats& x) {
  for (float& value : x.data) value = value * std::erfc(-value / std::sqrt(2.0F)) / 2;
}

void add_to(Floats& x, const Floats& more) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += more.data[i];
}

void soften(float* scores, int count) {
  const float largest = *std::max_element(scores, scores + count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += scores[i] = std::exp(scores[i] - largest);
  for (int i = 0; i < count; ++i) scores[i] = static_cast<float>(scores[i] / sum);
}

double dot(const float* a, const float* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// softmax(q·kᵀ/8 + bias)·v of one head, whose columns begin at `first`. Returns the softmax.
Floats attend_with_head(const Floats& q, const Floats& k, const Floats& v, int first,
                        bool is_causal, const kernels::KeyBias& bias, Floats& out) {
  Floats weights(q.rows, k.rows);
  for (int i = 0; i < q.rows; ++i) {
    for (int j = 0; j < k.rows; ++j) {
      double score = dot(q.row(i) + first, k.row(j) + first, head_width) / 8;
      if (j >= bias.first && !bias.values.empty()) {
        score += double{bias.values[static_cast<std::size_t>(j - bias.first)]};
      }
      const bool is_hidden = is_causal && j > i;
      weights.row(i)[j] =
          is_hidden ? -std::numeric_limits<float>::infinity() : static_cast<float>(score);
    }
    soften(weights.row(i), k.rows);
    for (int j = 0; j < k.rows; ++j) {
      for (int d = 0; d < head_width; ++d) {
        out.row(i)[first + d] += weights.row(i)[j] * v.row(j)[first + d];
      }
    }
  }
  return weights;
}

}  // namespace

Floats random_rows(int rows, int columns, float deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, deviation);
  Floats random(rows, columns);
  for (float& value : random.data) value = normal(generator);
  return random;
}

double difference(const Floats& found, const Floats& expected) {
  double off = 0, all = 0;
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    const double a = found.data[i], b = expected.data[i];
    off += (a - b) * (a - b);
    all += b * b;
  }
  return std::sqrt(off / all);
}

PlainWhisper::PlainWhisper() {
  const ModelDims d = dims();
  const int n = d.n_audio_state;
  const auto add_convolution = [&](const std::string& name, int channels) {
    add(name + ".weight", {n, channels, 3}, 1 / std::sqrt(3.0F * static_cast<float>(channels)));
    add(name + ".bias", {n}, 0.1F);
  };
  add_convolution("encoder.conv1", d.n_mels);
  add_convolution("encoder.conv2", n);
  add("encoder.positional_embedding", {d.n_audio_ctx, n}, 0.5F);
  add_norm("encoder.ln_post");
  for (int i = 0; i < d.n_audio_layer; ++i) add_block("encoder.blocks." + std::to_string(i));
  // So small that all logits are near the largest: none keeps its preselected value.
  add("decoder.token_embedding.weight", {d.n_vocab, n}, 0.1F);
  add("decoder.positional_embedding", {d.n_text_ctx, n}, 0.3F);
  add_norm("decoder.ln");
  for (int i = 0; i < d.n_text_layer; ++i) {
    const std::string block = "decoder.blocks." + std::to_string(i);
    add_block(block);
    add_norm(block + ".cross_attn_ln");
    add_attention(block + ".cross_attn");
  }
}

void PlainWhisper::add(const std::string& name, std::vector<std::int64_t> shape, float deviation,
                       float mean) {
  std::int64_t count = 1;
  for (const std::int64_t dimension : shape) count *= dimension;
  const auto seed = static_cast<unsigned>(tensors_.size());
  Floats values = random_rows(1, static_cast<int>(count), deviation, seed);
  for (float& value : values.data) value = shortened(value + mean);
  tensors_[name] = {std::move(shape), std::move(values.data)};
}

void PlainWhisper::add_linear(const std::string& name, std::int64_t out, std::int64_t in,
                              float gain) {
  add(name + ".weight", {out, in}, gain / std::sqrt(static_cast<float>(in)));
  add(name + ".bias", {out}, 0.1F);
}

void PlainWhisper::add_norm(const std::string& name) {
  add(name + ".weight", {dims().n_audio_state}, 0.2F, 1);
  add(name + ".bias", {dims().n_audio_state}, 0.2F);
}

// Queries and keys are so large that each query looks at a few keys.
void PlainWhisper::add_attention(const std::string& name) {
  const int n = dims().n_audio_state;
  add_linear(name + ".query", n, n, 1.5F);
  add(name + ".key.weight", {n, n}, 1.5F / std::sqrt(static_cast<float>(n)));
  add_linear(name + ".value", n, n);
  add_linear(name + ".out", n, n);
}

void PlainWhisper::add_block(const std::string& name) {
  const int n = dims().n_audio_state;
  add_norm(name + ".attn_ln");
  add_attention(name + ".attn");
  add_norm(name + ".mlp_ln");
  add_linear(name + ".mlp.0", 4 * n, n);
  add_linear(name + ".mlp.2", n, 4 * n);
}

std::shared_ptr<const Weights> PlainWhisper::weights() const {
  WeightsContent content;
  content.dims = dims();
  for (const auto& [name, tensor] : tensors_) {
    content.tensors[name] = {DType::f32, tensor.shape, std::as_bytes(std::span(tensor.data)), {}};
  }
  return std::make_shared<const Weights>(std::vector<MappedFile>{}, std::move(content));
}

Floats PlainWhisper::linear(const Floats& x, const std::string& layer) const {
  const Tensor& weight = tensors_.at(layer + ".weight");
  const auto bias = tensors_.find(layer + ".bias");
  Floats y(x.rows, static_cast<int>(weight.shape[0]));
  for (int i = 0; i < x.rows; ++i) {
    for (int n = 0; n < y.columns; ++n) {
      const float* row = weight.data.data() + static_cast<std::ptrdiff_t>(n) * x.columns;
      const double b =
          bias == tensors_.end() ? 0.0 : double(bias->second.data[static_cast<std::size_t>(n)]);
      y.row(i)[n] = static_cast<float>(dot(x.row(i), row, x.columns) + b);
    }
  }
  return y;
}

Floats PlainWhisper::norm(const Floats& x, const std::string& layer) const {
  const float* weight = tensor(layer + ".weight").data();
  const float* bias = tensor(layer + ".bias").data();
  Floats y(x.rows, x.columns);
  for (int i = 0; i < x.rows; ++i) {
    double mean = 0, variance = 0;
    for (int n = 0; n < x.columns; ++n) mean += double(x.row(i)[n]) / x.columns;
    for (int n = 0; n < x.columns; ++n) variance += std::pow(x.row(i)[n] - mean, 2) / x.columns;
    for (int n = 0; n < x.columns; ++n) {
      const double normal = (x.row(i)[n] - mean) / std::sqrt(variance + 1e-5);
      y.row(i)[n] = static_cast<float>(normal * double(weight[n]) + double(bias[n]));
    }
  }
  return y;
}

// With a frame of silence before the first and behind the last one.
Floats PlainWhisper::convolution(const Floats& x, const std::string& layer, int stride) const {
  const float* weight = tensor(layer + ".weight").data();
  const float* bias = tensor(layer + ".bias").data();
  Floats y(x.rows / stride, dims().n_audio_state);
  for (int i = 0; i < y.rows; ++i) {
    for (int n = 0; n < y.columns; ++n) {
      double sum = bias[n];
      for (int moment = 0; moment < 3; ++moment) {
        const int from = i * stride + moment - 1;
        if (from < 0 || from >= x.rows) continue;
        for (int channel = 0; channel < x.columns; ++channel) {
          sum +=
              double(weight[(n * x.columns + channel) * 3 + moment]) * double(x.row(from)[channel]);
        }
      }
      y.row(i)[n] = static_cast<float>(sum);
    }
  }
  gelu(y);
  return y;
}

void PlainWhisper::attend(Floats& x, const std::string& block, const Floats* other, bool is_causal,
                          std::vector<Floats>* weights, const kernels::KeyBias& bias) const {
  const Floats normal = norm(x, block + "_ln");
  const Floats& source = other == nullptr ? normal : *other;
  const Floats q = linear(normal, block + ".query"), k = linear(source, block + ".key"),
               v = linear(source, block + ".value");
  Floats attended(x.rows, x.columns);
  for (int first = 0; first < x.columns; first += head_width) {
    Floats looks = attend_with_head(q, k, v, first, is_causal, bias, attended);
    if (weights != nullptr) weights->push_back(std::move(looks));
  }
  add_to(x, linear(attended, block + ".out"));
}

void PlainWhisper::add_mlp(Floats& x, const std::string& block) const {
  Floats hidden = linear(norm(x, block + ".mlp_ln"), block + ".mlp.0");
  gelu(hidden);
  add_to(x, linear(hidden, block + ".mlp.2"));
}

Floats PlainWhisper::encode(const Floats& mel, const WindowRows& rows) const {
  Floats frames(mel.columns, mel.rows);
  for (int i = 0; i < mel.rows; ++i) {
    for (int t = 0; t < mel.columns; ++t) frames.row(t)[i] = mel.row(i)[t];
  }
  Floats all = convolution(convolution(frames, "encoder.conv1", 1), "encoder.conv2", 2);
  const auto& positions = tensor("encoder.positional_embedding");
  for (std::size_t i = 0; i < all.data.size(); ++i) all.data[i] += positions[i];
  Floats x(rows.count(), all.columns);
  for (int i = 0; i < x.rows; ++i) std::copy_n(all.row(rows.position(i)), x.columns, x.row(i));
  for (int layer = 0; layer < dims().n_audio_layer; ++layer) {
    const std::string block = "encoder.blocks." + std::to_string(layer);
    attend(x, block + ".attn", nullptr, false, nullptr, rows.bias());
    add_mlp(x, block);
  }
  return norm(x, "encoder.ln_post");
}

PlainWhisper::Decoded PlainWhisper::decode(std::span<const int> tokens,
                                           const Floats& encoded) const {
  const ModelDims d = dims();
  const auto& embedding = tensor("decoder.token_embedding.weight");
  const auto& positions = tensor("decoder.positional_embedding");
  Floats x(static_cast<int>(tokens.size()), d.n_text_state);
  for (int i = 0; i < x.rows; ++i) {
    const auto token = static_cast<std::size_t>(tokens[static_cast<std::size_t>(i)]);
    for (int n = 0; n < x.columns; ++n) {
      const auto width = static_cast<std::size_t>(x.columns), column = static_cast<std::size_t>(n);
      x.row(i)[n] = embedding[token * width + column] +
                    positions[static_cast<std::size_t>(i) * width + column];
    }
  }
  Decoded decoded{Floats(x.rows, d.n_vocab)};
  for (int layer = 0; layer < d.n_text_layer; ++layer) {
    const std::string block = "decoder.blocks." + std::to_string(layer);
    attend(x, block + ".attn", nullptr, true);
    std::vector<Floats> looks;
    attend(x, block + ".cross_attn", &encoded, false, &looks);
    for (int head = 0; head < d.n_text_head; ++head) {
      decoded.attention.emplace(layer * d.n_text_head + head,
                                std::move(looks[static_cast<std::size_t>(head)]));
    }
    add_mlp(x, block);
  }
  decoded.logits = linear(norm(x, "decoder.ln"), "decoder.token_embedding");
  return decoded;
}

}  // namespace engine::cpu
