#include <cmath>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/grouped.h"
#include "engine/whisper/weights/readers.h"

// MLX's Whisper has openai/whisper's names, but for the layers mlp1 and mlp2. Convolutions are
// stored as [out, width, in]; the encoder's positions are computed, and the heads that follow time
// are a tensor. Of a quantised layer, "weight" are packed words, "scales" and "biases" its factors.
namespace engine {
namespace {

constexpr std::string_view heads_name = "alignment_heads";
constexpr std::string_view positions_name = "encoder.positional_embedding";
constexpr std::int64_t max_words = 1 << 24;  // in a row
constexpr std::int64_t max_heads_listed = 4096;
constexpr int usual_audio_ctx = 1500;

std::string openai_name_of(std::string name) {
  for (const auto& [mlx, openai] : {std::pair{".mlp1.", ".mlp.0."}, {".mlp2.", ".mlp.2."}}) {
    const std::size_t at = name.find(mlx);
    if (at != name.npos) name.replace(at, std::string_view(mlx).size(), openai);
  }
  return name;
}

std::int64_t count_at(const WeightTensor& tensor, std::size_t i) {
  const std::byte* data = tensor.data.data();
  return tensor.dtype == DType::i64 ? load_unaligned<std::int64_t>(data + 8 * i)
                                    : load_unaligned<std::int32_t>(data + 4 * i);
}

std::vector<std::pair<int, int>> heads_of(const WeightTensor& tensor) {
  const bool counts = tensor.dtype == DType::i64 || tensor.dtype == DType::i32;
  if (!counts || tensor.shape.size() != 2 || tensor.shape[1] != 2 ||
      tensor.shape[0] > max_heads_listed) {
    damaged("alignment_heads: is no list of pairs");
  }
  std::vector<std::pair<int, int>> heads;
  // The converter's list is the transpose of another one, and stored as that.
  const auto pairs = static_cast<std::size_t>(tensor.shape[0]);
  const std::size_t next_pair = tensor.fortran_order ? 1 : 2;
  const std::size_t next_number = tensor.fortran_order ? pairs : 1;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::int64_t layer = count_at(tensor, i * next_pair);
    const std::int64_t head = count_at(tensor, i * next_pair + next_number);
    if (layer < 0 || layer >= max_heads_listed || head < 0 || head >= max_heads_listed) {
      damaged("alignment_heads: is no list of pairs");
    }
    heads.emplace_back(static_cast<int>(layer), static_cast<int>(head));
  }
  return heads;
}

// Returns the type and the number of a row's numbers, which the words alone do not show.
WeightTensor unpacked(const std::string& name, const WeightTensor& words,
                      const Quantization& quantization) {
  if (words.dtype != DType::u32 || words.shape.size() != 2 || words.shape[1] > max_words) {
    damaged(name + ": expected rows of u32, got " + std::string(engine::name(words.dtype)) +
            shape_text(words.shape));
  }
  WeightTensor tensor = words;
  tensor.dtype = packed_dtype(name, quantization.bits);
  tensor.group = quantization.group;
  tensor.shape[1] = words.shape[1] * 32 / quantization.bits;
  if (byte_size(name, tensor.dtype, tensor.shape) != words.data.size()) {
    damaged(name + ": " + shape_text(words.shape) + " are no rows of numbers of " +
            std::to_string(quantization.bits) + " bits");
  }
  return tensor;
}

void attach_factors(const std::string& name, WeightTensor& tensor, const WeightTensor& scales,
                    const WeightTensor& offsets) {
  const bool floats =
      scales.dtype == DType::f16 || scales.dtype == DType::bf16 || scales.dtype == DType::f32;
  const std::vector<std::int64_t> expected{tensor.shape[0], tensor.shape[1] / tensor.group};
  if (!floats || offsets.dtype != scales.dtype || scales.shape != expected ||
      offsets.shape != expected || tensor.shape[1] % tensor.group != 0) {
    damaged(name + ": expected scales and biases " + shape_text(expected) + ", got " +
            std::string(engine::name(scales.dtype)) + shape_text(scales.shape) + " and " +
            std::string(engine::name(offsets.dtype)) + shape_text(offsets.shape));
  }
  tensor.scales = scales.data;
  tensor.offsets = offsets.data;
  tensor.factors = scales.dtype;
}

// Joins the words of each quantised layer with their factors, which leave the table.
void join_groups(TensorTable& tensors, const std::optional<Quantization>& quantization) {
  constexpr std::string_view suffix = ".weight";
  for (auto& [name, tensor] : tensors) {
    if (!name.ends_with(suffix)) continue;
    const std::string layer = name.substr(0, name.size() - suffix.size());
    const auto scales = tensors.find(layer + ".scales");
    if (scales == tensors.end()) continue;
    if (!quantization) {
      refused(name + ": is quantized, and no config.json beside the model says how",
              "Put the model's config.json next to it.");
    }
    const auto offsets = tensors.find(layer + ".biases");
    if (quantization->mode != "affine" || offsets == tensors.end()) {
      refused(name + ": is quantized in the mode '" + quantization->mode +
                  "', known is 'affine', which has scales and biases",
              "Quantize the model in MLX's mode affine, or use its float16 form.");
    }
    tensor = unpacked(name, tensor, *quantization);
    attach_factors(name, tensor, scales->second, offsets->second);
  }
  std::erase_if(tensors, [](const auto& entry) {
    return entry.first.ends_with(".scales") || entry.first.ends_with(".biases");
  });
}

// Describes a convolution [out, width, in] as [out, in, width].
void put_channels_last(TensorTable& tensors) {
  for (const char* name : {"encoder.conv1.weight", "encoder.conv2.weight"}) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second.shape.size() != 3) continue;
    std::swap(found->second.shape[1], found->second.shape[2]);
    found->second.channels_last = true;
  }
}

// Computes the encoder's positions as openai/whisper does, into `model.made`.
void add_positions(ParsedModel& model, int n_ctx) {
  const auto norm = model.tensors.find("encoder.ln_post.weight");
  if (model.tensors.contains(std::string(positions_name)) || norm == model.tensors.end()) return;
  const std::int64_t width = norm->second.elements();
  if (width < 2 || width > max_width || width % 2 != 0) return;  // derive_dims() says so
  const auto half = static_cast<std::size_t>(width) / 2;
  const float step = static_cast<float>(std::log(10000.0) / static_cast<double>(half - 1));
  auto& made = model.made.emplace_back(static_cast<std::size_t>(n_ctx * width) * sizeof(float));
  std::byte* out = made.data();
  const auto put = [&out](float value) {
    std::memcpy(out, &value, sizeof(value));
    out += sizeof(value);
  };
  for (int t = 0; t < n_ctx; ++t) {
    const auto angle = [&](std::size_t i) {
      return static_cast<float>(t) * std::exp(-step * static_cast<float>(i));
    };
    for (std::size_t i = 0; i < half; ++i) put(std::sin(angle(i)));
    for (std::size_t i = 0; i < half; ++i) put(std::cos(angle(i)));
  }
  model.tensors[std::string(positions_name)] = {DType::f32, {n_ctx, width}, made, {}};
}

}  // namespace

bool is_mlx(const TensorTable& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (name.find(".mlp1.") != name.npos) return true;
  }
  return false;
}

ParsedModel parse_mlx(TensorTable tensors, const MlxConfig& config) {
  ParsedModel model;
  join_groups(tensors, config.quantization);
  put_channels_last(tensors);
  if (const auto heads = tensors.extract(std::string(heads_name))) {
    model.alignment_heads = heads_of(heads.mapped());
  }
  for (auto& [name, tensor] : tensors) {
    if (!model.tensors.emplace(openai_name_of(name), std::move(tensor)).second) {
      damaged(name + ": appears twice");
    }
  }
  add_positions(model, config.n_audio_ctx.value_or(usual_audio_ctx));
  return model;
}

}  // namespace engine
