#include <array>
#include <optional>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/whisper/weights/readers.h"

// CTranslate2's model.bin: version, spec name, revision; then variables {name, rank, dimensions,
// type, byte count, bytes} and aliases {name, name of a variable}. Strings are counted in 16 bits
// and end with a NUL.
namespace engine {
namespace {

constexpr std::uint32_t oldest_version = 4;  // below it, variables carry no type
constexpr std::uint32_t newest_version = 6;
constexpr std::uint32_t max_variables = 100'000;
constexpr std::int64_t max_bias = 1 << 16;      // a bias is read before its shape is known
constexpr const char* scale_suffix = "_scale";  // of the variable with a weight's scales

std::string read_string(ByteReader& reader) {
  const std::string_view text = reader.text(reader.read<std::uint16_t>());
  if (text.empty() || text.back() != '\0') damaged("model.bin: a name without its final NUL");
  return std::string(text.substr(0, text.size() - 1));
}

DType read_dtype(ByteReader& reader, const std::string& name) {
  static constexpr std::array known{DType::f32, DType::i8,  DType::i16,
                                    DType::i32, DType::f16, DType::bf16};
  const auto id = reader.read<std::uint8_t>();
  if (id >= known.size()) damaged(name + ": unknown type " + std::to_string(id));
  return known[id];
}

std::uint32_t read_header(ByteReader& reader) {
  const auto version = reader.read<std::uint32_t>();
  if (version < oldest_version || version > newest_version) {
    refused("model.bin: CTranslate2 binary version " + std::to_string(version) + ", known are " +
                std::to_string(oldest_version) + " to " + std::to_string(newest_version),
            "Convert the model with a CTranslate2 of version 3 or 4.");
  }
  const std::string spec = read_string(reader);
  if (spec != "WhisperSpec") {
    refused("model.bin: holds a " + spec + ", not a WhisperSpec", "Choose a Whisper model.");
  }
  reader.read<std::uint32_t>();  // revision; 3 since CTranslate2 supports Whisper
  return version;
}

std::uint32_t read_count(ByteReader& reader) {
  const auto count = reader.read<std::uint32_t>();
  if (count > max_variables) damaged("model.bin: " + std::to_string(count) + " variables");
  return count;
}

// The converter makes aliases before it quantises, so an alias of a quantised weight has no scales
// of its own: those of the variable that it stands for are its, too.
void read_aliases(ByteReader& reader, TensorTable& variables) {
  std::vector<std::pair<std::string, std::string>> scales;
  for (auto left = read_count(reader); left > 0; --left) {
    const std::string alias = read_string(reader);
    const std::string name = read_string(reader);
    const auto target = variables.find(name);
    if (target == variables.end()) damaged(alias + ": alias of a variable that is not there");
    if (!variables.emplace(alias, target->second).second) damaged(alias + ": appears twice");
    scales.emplace_back(alias + scale_suffix, name + scale_suffix);
  }
  for (const auto& [alias, name] : scales) {
    const auto scale = variables.find(name);
    if (scale != variables.end()) variables.emplace(alias, scale->second);
  }
}

// Reads what is behind the header.
TensorTable read_variables(ByteReader& reader) {
  TensorTable variables;
  for (auto left = read_count(reader); left > 0; --left) {
    const std::string name = read_string(reader);
    WeightTensor variable;
    const int rank = reader.read<std::uint8_t>();
    if (rank > max_dimensions) damaged(name + ": " + std::to_string(rank) + " dimensions");
    for (int i = 0; i < rank; ++i) variable.shape.push_back(reader.read<std::uint32_t>());
    variable.dtype = read_dtype(reader, name);
    variable.data = reader.take(reader.read<std::uint32_t>());
    const std::size_t expected = byte_size(name, variable.dtype, variable.shape);
    if (variable.data.size() != expected) {
      damaged(name + ": expected " + std::to_string(expected) + " bytes, got " +
              std::to_string(variable.data.size()));
    }
    if (!variables.emplace(name, std::move(variable)).second) damaged(name + ": appears twice");
  }
  read_aliases(reader, variables);
  return variables;
}

// A weight of 8 or 16 bits needs the scales that lie beside it.
void attach_scales(TensorTable& variables) {
  for (auto& [name, variable] : variables) {
    if (variable.shape.empty() || name.ends_with(scale_suffix)) continue;
    if (variable.dtype != DType::i8 && variable.dtype != DType::i16) continue;
    const auto scale = variables.find(name + scale_suffix);
    if (scale == variables.end()) damaged(name + ": has no scales");
    const std::int64_t n = scale->second.elements();
    if (scale->second.dtype != DType::f32 || (n != 1 && n != variable.shape[0])) {
      damaged(name + scale_suffix + ": expected f32 [" + std::to_string(variable.shape[0]) +
              "], got " + std::string(engine::name(scale->second.dtype)) +
              shape_text(scale->second.shape));
    }
    variable.scales = scale->second.data;
  }
}

bool all_zero(const WeightTensor& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
  to_float(tensor, values);
  for (const float value : values) {
    if (value != 0) return false;
  }
  return true;
}

struct Part {
  std::string_view path;    // below "<side>/layer_<i>/"
  std::string_view module;  // below "<side>.blocks.<i>."
};

constexpr std::array norms{Part{"self_attention/layer_norm", "attn_ln"},
                           Part{"attention/layer_norm", "cross_attn_ln"},
                           Part{"ffn/layer_norm", "mlp_ln"}};
constexpr std::array linears{Part{"self_attention/linear_1", "attn.out"},
                             Part{"attention/linear_0", "cross_attn.query"},
                             Part{"attention/linear_2", "cross_attn.out"},
                             Part{"ffn/linear_0", "mlp.0"}, Part{"ffn/linear_1", "mlp.2"}};
constexpr std::array<std::string_view, 3> query_key_value{"query", "key", "value"};

// Moves variables to a table under openai's names; the rest is unknown.
class Translator {
 public:
  explicit Translator(TensorTable& variables) : variables_(variables) {}

  void translate_side(const std::string& side) {
    move(side + "/position_encodings/encodings", side + ".positional_embedding");
    move_norm(side + "/layer_norm", side + (side == "encoder" ? ".ln_post" : ".ln"));
    for (int i = 0;; ++i) {
      const std::string path = side + "/layer_" + std::to_string(i) + "/";
      if (!variables_.contains(path + "ffn/layer_norm/gamma")) break;
      const std::string module = side + ".blocks." + std::to_string(i) + ".";
      for (const Part& part : norms) {
        move_norm(path + std::string(part.path), module + std::string(part.module));
      }
      for (const Part& part : linears) {
        move_linear(path + std::string(part.path), module + std::string(part.module));
      }
      split(path + "self_attention/linear_0", module + "attn.", query_key_value);
      split(path + "attention/linear_1", module + "cross_attn.",
            std::span(query_key_value).subspan(1));
    }
  }

  void move(const std::string& from, const std::string& to) {
    const auto found = variables_.find(from);
    if (found == variables_.end()) return;  // validate_tensors() reports what is missing
    result_.emplace(to, found->second);
    variables_.erase(found);
  }

  void move_linear(const std::string& from, const std::string& to) {
    move(from + "/weight", to + ".weight");
    move(from + "/bias", to + ".bias");
  }

  TensorTable take() { return std::move(result_); }

 private:
  void move_norm(const std::string& from, const std::string& to) {
    move(from + "/gamma", to + ".weight");
    move(from + "/beta", to + ".bias");
  }

  // Splits a fused layer [n * state, state] into n layers. The key has no bias in Whisper:
  // CTranslate2 stores zeros instead.
  void split(const std::string& from, const std::string& module,
             std::span<const std::string_view> names) {
    for (const std::string kind : {"weight", "bias"}) {
      const auto found = variables_.find(from + "/" + kind);
      if (found == variables_.end()) continue;
      const WeightTensor& fused = found->second;
      const auto n = static_cast<std::int64_t>(names.size());
      if (fused.shape.empty() || fused.shape[0] < n || fused.shape[0] % n != 0) {
        damaged(found->first + ": " + shape_text(fused.shape) + " cannot be split into " +
                std::to_string(n));
      }
      const std::int64_t each = fused.shape[0] / n;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::string name(names[static_cast<std::size_t>(i)]);
        WeightTensor part = rows(fused, i * each, each);
        if (name == "key" && kind == "bias") {
          if (part.shape.size() != 1 || each > max_bias) damaged(found->first + ": is no bias");
          if (part.dtype == DType::i32 || !all_zero(part)) {
            refused(found->first + ": the key has a bias, as no Whisper model has",
                    "Choose a model of Whisper's architecture.");
          }
        } else {
          result_.emplace(module + name + "." + kind, std::move(part));
        }
      }
      variables_.erase(found);
    }
  }

  TensorTable& variables_;
  TensorTable result_;
};

int read_head_count(const TensorTable& variables, const std::string& name) {
  const auto found = variables.find(name);
  if (found == variables.end()) return 0;
  const WeightTensor& value = found->second;
  if (!value.shape.empty() || value.dtype != DType::i16) damaged(name + ": expected one i16");
  return load_unaligned<std::int16_t>(value.data.data());
}

// Drops CTranslate2's own settings, which are single numbers, and the projection, which is the
// token embedding again.
void drop_what_is_not_needed(TensorTable& variables) {
  const auto projection = variables.find("decoder/projection/weight");
  if (projection != variables.end()) {
    const auto embedding = variables.find("decoder/embeddings/weight");
    if (embedding != variables.end() &&
        (as_text(embedding->second.data) != as_text(projection->second.data) ||
         as_text(embedding->second.scales) != as_text(projection->second.scales))) {
      refused("decoder/projection/weight: differs from the token embedding",
              "Choose a model whose output projection is tied to the embedding, as Whisper's is.");
    }
    variables.erase(projection);
  }
  std::erase_if(variables, [](const auto& variable) {
    return variable.second.shape.empty() || variable.first.ends_with(scale_suffix);
  });
}

}  // namespace

ParsedModel parse_ctranslate2(std::span<const std::byte> file) {
  ByteReader reader(file, "model.bin");
  ParsedModel model;
  model.writer = "CTranslate2, binary version " + std::to_string(read_header(reader));
  TensorTable variables = read_variables(reader);
  attach_scales(variables);
  model.heads = HeadCounts{read_head_count(variables, "encoder/num_heads"),
                           read_head_count(variables, "decoder/num_heads")};
  drop_what_is_not_needed(variables);
  Translator translator(variables);
  translator.move_linear("encoder/conv1", "encoder.conv1");
  translator.move_linear("encoder/conv2", "encoder.conv2");
  translator.move("decoder/embeddings/weight", "decoder.token_embedding.weight");
  translator.translate_side("encoder");
  translator.translate_side("decoder");
  if (!variables.empty()) {
    refused(variables.begin()->first + ": no such variable in Whisper",
            "Convert the model with a CTranslate2 of version 3 or 4.");
  }
  model.tensors = translator.take();
  return model;
}

}  // namespace engine
