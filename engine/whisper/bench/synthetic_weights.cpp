#include "engine/whisper/bench/synthetic_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "engine/kernels/bfloat16.h"
#include "engine/whisper/constants.h"

namespace engine {
namespace {

struct Size {
  std::string_view name;
  ModelDims dims;
};

constexpr ModelDims dims(int n_mels, int n_vocab, int n_state, int n_head, int n_audio_layer,
                         int n_text_layer) {
  return {n_mels,  audio_positions, n_state, n_head, n_audio_layer,
          n_vocab, text_positions,  n_state, n_head, n_text_layer};
}

// The sizes are those of openai/whisper model-card.md and of the dimensions in its checkpoints.
constexpr std::array<Size, 7> sizes{{
    {"tiny", dims(80, multilingual_vocabulary, 384, 6, 4, 4)},
    {"base", dims(80, multilingual_vocabulary, 512, 8, 6, 6)},
    {"small", dims(80, multilingual_vocabulary, 768, 12, 12, 12)},
    {"medium", dims(80, multilingual_vocabulary, 1024, 16, 24, 24)},
    {"large-v3", dims(128, cantonese_vocabulary, 1280, 20, 32, 32)},
    {"large-v3-turbo", dims(128, cantonese_vocabulary, 1280, 20, 32, 4)},
    {"turbo", dims(128, cantonese_vocabulary, 1280, 20, 32, 4)},
}};

// Lists every tensor of a model, as names and shapes; see derive_dims.
class Shapes {
 public:
  explicit Shapes(const ModelDims& d) {
    const std::int64_t audio = d.n_audio_state;
    const std::int64_t text = d.n_text_state;
    layer("encoder.conv1", {audio, d.n_mels, 3});
    layer("encoder.conv2", {audio, audio, 3});
    add("encoder.positional_embedding", {d.n_audio_ctx, audio});
    blocks("encoder", d.n_audio_layer, audio, /*cross=*/false);
    layer("encoder.ln_post", {audio});
    add("decoder.token_embedding.weight", {d.n_vocab, text});
    add("decoder.positional_embedding", {d.n_text_ctx, text});
    blocks("decoder", d.n_text_layer, text, /*cross=*/true);
    layer("decoder.ln", {text});
  }

  TensorTable take() { return std::move(tensors_); }

 private:
  void add(const std::string& name, std::vector<std::int64_t> shape) {
    tensors_[name] = {DType::bf16, std::move(shape), {}, {}};
  }
  void layer(const std::string& name, const std::vector<std::int64_t>& weight) {
    add(name + ".weight", weight);
    add(name + ".bias", {weight.front()});
  }
  void attention(const std::string& name, std::int64_t n) {
    for (const char* part : {".query", ".value", ".out"}) layer(name + part, {n, n});
    add(name + ".key.weight", {n, n});
  }
  void blocks(const std::string& side, int count, std::int64_t n, bool cross) {
    for (int i = 0; i < count; ++i) {
      const std::string block = side + ".blocks." + std::to_string(i);
      for (const char* kind : {".attn", ".cross_attn"}) {
        if (kind[1] == 'c' && !cross) continue;
        attention(block + kind, n);
        layer(block + kind + "_ln", {n});
      }
      layer(block + ".mlp.0", {4 * n, n});
      layer(block + ".mlp.2", {n, 4 * n});
      layer(block + ".mlp_ln", {n});
    }
  }

  TensorTable tensors_;
};

// The numbers are ±(0.031 … 0.061) in bfloat16: normal numbers, of which sums over a layer stay
// near 1.
std::vector<std::uint16_t> random_numbers(std::size_t count) {
  std::vector<std::uint16_t> numbers(count);
  std::uint64_t state = 0x9E3779B97F4A7C15;
  for (auto& number : numbers) {
    state ^= state << 13;  // xorshift64 (Marsaglia 2003)
    state ^= state >> 7;
    state ^= state << 17;
    const auto sign_and_fraction = static_cast<std::uint16_t>(state >> 48) & 0x807F;
    number = static_cast<std::uint16_t>(sign_and_fraction | 0x3D00);
  }
  return numbers;
}

// The standard deviation of logits. With it about a hundred tokens are within
// cpu::Logits::Margins::text of the largest; of a row of speech 13 are in the median (base; 209 of
// tiny.en), 225 are in the tenth that has most.
constexpr double logit_deviation = 8;
constexpr double number_deviation = 0.047;  // of random_numbers()

// Makes the weight of the last layer norm, which all logits are proportional to.
std::vector<std::uint16_t> last_norm(std::span<const std::uint16_t> numbers, int n_state) {
  const double factor =
      logit_deviation / (std::sqrt(n_state) * number_deviation * number_deviation);
  std::vector<std::uint16_t> weight;
  for (const auto number : numbers.first(static_cast<std::size_t>(n_state))) {
    weight.push_back(kernels::to_bfloat16(static_cast<float>(factor) * kernels::to_float(number)));
  }
  return weight;
}

struct Synthetic {
  std::vector<std::uint16_t> numbers;
  std::vector<std::uint16_t> last_norm;
  Weights weights;
};

}  // namespace

std::vector<std::string_view> synthetic_sizes() {
  std::vector<std::string_view> names;
  for (const Size& size : sizes) names.push_back(size.name);
  return names;
}

Result<ModelDims> dims_of_size(std::string_view name) {
  const auto* found = std::ranges::find(sizes, name, &Size::name);
  if (found != sizes.end()) return found->dims;
  std::string known;
  for (const Size& size : sizes) known += " " + std::string(size.name);
  return Error{Errc::invalid_option,
               "there are no synthetic weights of the size '" + std::string(name) + "'",
               "Use one of:" + known + "."};
}

std::shared_ptr<const Weights> synthetic_weights(const ModelDims& dims) {
  WeightsContent content;
  content.format = WeightFormat::safetensors;
  content.dims = dims;
  content.tensors = Shapes(dims).take();
  std::int64_t largest = 0;
  for (const auto& [name, tensor] : content.tensors) largest = std::max(largest, tensor.elements());
  auto numbers = random_numbers(static_cast<std::size_t>(largest));
  for (auto& [name, tensor] : content.tensors) {
    const std::span all(numbers);
    tensor.data = std::as_bytes(all.first(static_cast<std::size_t>(tensor.elements())));
  }
  auto last = last_norm(numbers, dims.n_text_state);
  content.tensors.at("decoder.ln.weight").data = std::as_bytes(std::span(last));
  const auto model = std::make_shared<const Synthetic>(
      Synthetic{std::move(numbers), std::move(last), Weights({}, std::move(content))});
  return {model, &model->weights};
}

}  // namespace engine
