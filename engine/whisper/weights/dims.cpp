#include "engine/whisper/weights/dims.h"

#include <array>
#include <string>
#include <utility>

#include "engine/weights/byte_reader.h"
#include "engine/whisper/constants.h"

namespace engine {
namespace {

using Shape = std::vector<std::int64_t>;

// Limits above every real model, whose vocabulary has 51,866 tokens. A product of a dimension and
// three widths stays below 2^31.
constexpr std::int64_t max_dimension = 1 << 16;
constexpr int max_layers = 256;
constexpr int max_mels = 128;  // as large-v3 has

// A file that is read to its end and lacks a tensor, or has other ones, is of something else.
[[noreturn]] void refuse_tensors(const std::string& what) {
  refused(what,
          "Use all weights of a Whisper model: an encoder, a part of several files or another "
          "architecture is not read.");
}

const WeightTensor& find(const TensorTable& tensors, const std::string& name, std::size_t rank) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) refuse_tensors(name + ": missing");
  const Shape& shape = found->second.shape;
  if (shape.size() != rank) {
    damaged(name + ": expected " + std::to_string(rank) + " dimensions, got " + shape_text(shape));
  }
  for (const std::int64_t n : shape) {
    if (n < 1 || n > max_dimension) damaged(name + ": impossible shape " + shape_text(shape));
  }
  return found->second;
}

int count_layers(const TensorTable& tensors, const std::string& side) {
  int n = 0;
  while (tensors.contains(side + ".blocks." + std::to_string(n) + ".attn_ln.weight")) {
    if (++n > max_layers) damaged(side + ": more than " + std::to_string(max_layers) + " layers");
  }
  if (n == 0) refuse_tensors(side + ".blocks.0.attn_ln.weight: missing");
  return n;
}

int head_count(const char* side, int declared, int state) {
  if (declared > 0 && state % declared != 0) {
    damaged(std::string(side) + ": a width of " + std::to_string(state) + " cannot be split into " +
            std::to_string(declared) + " heads");
  }
  if (declared > 0) return declared;
  if (state % head_dim != 0) {
    refused("the " + std::string(side) + " is " + std::to_string(state) +
                " wide, and nothing says how many attention heads that is; without a word heads "
                "are 64 wide",
            "Use a form of the model that has its config.json, or OpenAI's .pt with its dims.");
  }
  return state / head_dim;
}

// Returns why the heads of a side cannot be computed; nothing where they can.
std::optional<std::string> fault_of_heads(int state, int heads) {
  const int width = state / heads;
  if (width > head_dim) {
    return "the model's attention heads are " + std::to_string(width) +
           " wide; scribed runs heads that are up to 64 wide, as all of OpenAI's are";
  }
  if (state % head_dim != 0) {
    return "the model is " + std::to_string(state) +
           " wide; scribed runs widths that are multiples of 64, as all of OpenAI's are";
  }
  if (heads > max_attention_width / head_dim) {
    return "the model has " + std::to_string(heads) + " attention heads a layer; scribed runs up " +
           "to " + std::to_string(max_attention_width / head_dim);
  }
  return std::nullopt;
}

// Collects every tensor of a model with its shape, in state_dict order.
class ExpectedTensors {
 public:
  explicit ExpectedTensors(const ModelDims& d) {
    const std::int64_t audio = d.n_audio_state;
    const std::int64_t text = d.n_text_state;
    add("encoder.positional_embedding", {d.n_audio_ctx, audio});
    layer("encoder.conv1", {audio, d.n_mels, 3});
    layer("encoder.conv2", {audio, audio, 3});
    blocks("encoder", d.n_audio_layer, audio, false);
    layer("encoder.ln_post", {audio});
    add("decoder.positional_embedding", {d.n_text_ctx, text});
    add("decoder.token_embedding.weight", {d.n_vocab, text});
    blocks("decoder", d.n_text_layer, text, true);
    layer("decoder.ln", {text});
  }

  const std::vector<std::pair<std::string, Shape>>& all() const { return all_; }

 private:
  void add(std::string name, Shape shape) { all_.emplace_back(std::move(name), std::move(shape)); }

  // Adds a weight and its bias, which has as many numbers as the weight has rows.
  void layer(const std::string& name, Shape weight) {
    const std::int64_t n = weight[0];
    add(name + ".weight", std::move(weight));
    add(name + ".bias", {n});
  }

  void attention(const std::string& name, std::int64_t state) {
    layer(name + ".query", {state, state});
    add(name + ".key.weight", {state, state});
    layer(name + ".value", {state, state});
    layer(name + ".out", {state, state});
  }

  void blocks(const std::string& side, int layers, std::int64_t state, bool cross) {
    for (int i = 0; i < layers; ++i) {
      const std::string block = side + ".blocks." + std::to_string(i) + ".";
      attention(block + "attn", state);
      layer(block + "attn_ln", {state});
      if (cross) {
        attention(block + "cross_attn", state);
        layer(block + "cross_attn_ln", {state});
      }
      layer(block + "mlp.0", {4 * state, state});
      layer(block + "mlp.2", {state, 4 * state});
      layer(block + "mlp_ln", {state});
    }
  }

  std::vector<std::pair<std::string, Shape>> all_;
};

}  // namespace

ModelDims derive_dims(const TensorTable& tensors, std::optional<HeadCounts> heads) {
  const auto size = [&](const char* name, std::size_t rank, std::size_t axis) {
    return static_cast<int>(find(tensors, name, rank).shape[axis]);
  };
  ModelDims d;
  d.n_mels = size("encoder.conv1.weight", 3, 1);
  d.n_audio_ctx = size("encoder.positional_embedding", 2, 0);
  d.n_audio_state = size("encoder.positional_embedding", 2, 1);
  d.n_audio_layer = count_layers(tensors, "encoder");
  d.n_vocab = size("decoder.token_embedding.weight", 2, 0);
  d.n_text_ctx = size("decoder.positional_embedding", 2, 0);
  d.n_text_state = size("decoder.positional_embedding", 2, 1);
  d.n_text_layer = count_layers(tensors, "decoder");
  if (d.n_audio_state > max_width) {
    damaged("the width of the model is " + std::to_string(d.n_audio_state));
  }
  // Kernels multiply pairs of mel bins.
  if (d.n_mels > max_mels || d.n_mels % 2 != 0) {
    damaged("encoder.conv1.weight: " + std::to_string(d.n_mels) + " mel bins");
  }
  d.n_audio_head = head_count("encoder", heads ? heads->audio : 0, d.n_audio_state);
  d.n_text_head = head_count("decoder", heads ? heads->text : 0, d.n_text_state);
  if (d.n_audio_state != d.n_text_state) {
    damaged("encoder and decoder differ in width: " + std::to_string(d.n_audio_state) + " and " +
            std::to_string(d.n_text_state));
  }
  return d;
}

void validate_tensors(const TensorTable& tensors, const ModelDims& dims) {
  const ExpectedTensors expected(dims);
  for (const auto& [name, shape] : expected.all()) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) refuse_tensors(name + ": missing");
    const WeightTensor& tensor = found->second;
    if (tensor.shape != shape) {
      refuse_tensors(name + ": expected " + shape_text(shape) + ", got " +
                     shape_text(tensor.shape));
    }
    if (is_count(tensor.dtype)) {
      damaged(name + ": expected numbers of a float type, got " +
              std::string(engine::name(tensor.dtype)));
    }
    if (tensor.data.size() != byte_size(name, tensor.dtype, shape)) {
      damaged(name + ": expected " + std::to_string(byte_size(name, tensor.dtype, shape)) +
              " bytes, got " + std::to_string(tensor.data.size()));
    }
  }
  if (tensors.size() == expected.all().size()) return;
  std::map<std::string_view, bool> known;
  for (const auto& [name, shape] : expected.all()) known.emplace(name, true);
  for (const auto& [name, tensor] : tensors) {
    if (!known.contains(name)) {
      refuse_tensors(name + ": no such tensor in a Whisper model of this size");
    }
  }
}

void require_equal(const ModelDims& declared, const ModelDims& derived) {
  using Field = std::pair<const char*, int ModelDims::*>;
  static constexpr std::array<Field, 10> fields{{
      {"n_mels", &ModelDims::n_mels},
      {"n_audio_ctx", &ModelDims::n_audio_ctx},
      {"n_audio_state", &ModelDims::n_audio_state},
      {"n_audio_head", &ModelDims::n_audio_head},
      {"n_audio_layer", &ModelDims::n_audio_layer},
      {"n_vocab", &ModelDims::n_vocab},
      {"n_text_ctx", &ModelDims::n_text_ctx},
      {"n_text_state", &ModelDims::n_text_state},
      {"n_text_head", &ModelDims::n_text_head},
      {"n_text_layer", &ModelDims::n_text_layer},
  }};
  for (const auto& [field, member] : fields) {
    if (declared.*member != derived.*member) {
      damaged(std::string(field) + ": the header says " + std::to_string(declared.*member) +
              ", the tensors have " + std::to_string(derived.*member));
    }
  }
}

Result<void> check_heads(const ModelDims& dims) {
  auto fault = fault_of_heads(dims.n_audio_state, dims.n_audio_head);
  if (!fault) fault = fault_of_heads(dims.n_text_state, dims.n_text_head);
  if (!fault) return {};
  return Error{Errc::refused_model, *std::move(fault), "Choose a model of OpenAI's architecture."};
}

}  // namespace engine
