#include <algorithm>
#include <cmath>

#include "tests/engine/whisper/weights/toy_model.h"

namespace toy {
namespace {

using engine::DType;
using engine::WeightTensor;

void put_counted(std::string& out, const std::string& text) {  // CTranslate2's strings
  put(out, static_cast<std::uint16_t>(text.size() + 1));
  out += text + '\0';
}

Ct2Variable variable(const std::string& name, const Tensor& tensor) {
  return {name, tensor.shape, 4, encode(tensor.values, DType::f16)};
}

Ct2Variable fused(const std::string& name, const std::vector<Tensor>& parts) {
  Tensor whole{parts[0].shape, {}};
  whole.shape[0] *= static_cast<std::int64_t>(parts.size());
  for (const Tensor& part : parts) {
    whole.values.insert(whole.values.end(), part.values.begin(), part.values.end());
  }
  return variable(name, whole);
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at != text.npos) text.replace(at, from.size(), to);
}

}  // namespace

std::vector<Ct2Variable> ctranslate2_variables(const Tensors& t, const engine::ModelDims& d) {
  std::vector<Ct2Variable> all;
  const auto add = [&](const std::string& path, const std::string& name, const char* weight,
                       const char* bias) {
    all.push_back(variable(path + weight, t.at(name + ".weight")));
    all.push_back(variable(path + bias, t.at(name + ".bias")));
  };
  const auto linear = [&](const std::string& path, const std::string& name) {
    add(path, name, "/weight", "/bias");
  };
  const auto norm = [&](const std::string& path, const std::string& name) {
    add(path, name, "/gamma", "/beta");
  };
  const Tensor no_bias{{d.n_text_state},
                       std::vector<float>(static_cast<std::size_t>(d.n_text_state))};
  const auto fuse = [&](const std::string& path, const std::string& name, bool with_query) {
    std::vector<Tensor> weights{t.at(name + ".key.weight"), t.at(name + ".value.weight")};
    std::vector<Tensor> biases{no_bias, t.at(name + ".value.bias")};
    if (with_query) {
      weights.insert(weights.begin(), t.at(name + ".query.weight"));
      biases.insert(biases.begin(), t.at(name + ".query.bias"));
    }
    all.push_back(fused(path + "/weight", weights));
    all.push_back(fused(path + "/bias", biases));
  };
  for (const std::string side : {"encoder", "decoder"}) {
    std::string n_heads;
    put(n_heads, static_cast<std::int16_t>(d.n_audio_head));
    all.push_back({side + "/num_heads", {}, 2, n_heads});
    all.push_back(
        variable(side + "/position_encodings/encodings", t.at(side + ".positional_embedding")));
    const int layers = side == "encoder" ? d.n_audio_layer : d.n_text_layer;
    for (int i = 0; i < layers; ++i) {
      const std::string path = side + "/layer_" + std::to_string(i);
      const std::string block = side + ".blocks." + std::to_string(i) + ".";
      norm(path + "/self_attention/layer_norm", block + "attn_ln");
      fuse(path + "/self_attention/linear_0", block + "attn", true);
      linear(path + "/self_attention/linear_1", block + "attn.out");
      if (side == "decoder") {
        norm(path + "/attention/layer_norm", block + "cross_attn_ln");
        linear(path + "/attention/linear_0", block + "cross_attn.query");
        fuse(path + "/attention/linear_1", block + "cross_attn", false);
        linear(path + "/attention/linear_2", block + "cross_attn.out");
      }
      norm(path + "/ffn/layer_norm", block + "mlp_ln");
      linear(path + "/ffn/linear_0", block + "mlp.0");
      linear(path + "/ffn/linear_1", block + "mlp.2");
    }
    norm(side + "/layer_norm", side == "encoder" ? "encoder.ln_post" : "decoder.ln");
  }
  linear("encoder/conv1", "encoder.conv1");
  linear("encoder/conv2", "encoder.conv2");
  all.push_back(variable("decoder/embeddings/weight", t.at("decoder.token_embedding.weight")));
  return all;
}

std::vector<Ct2Variable> quantised(std::vector<Ct2Variable> variables, DType dtype) {
  std::vector<Ct2Variable> scales;
  for (Ct2Variable& v : variables) {
    if (!v.name.ends_with("/weight")) continue;
    WeightTensor half;
    half.shape = v.shape;
    half.dtype = DType::f16;
    half.data = bytes(v.data);
    std::vector<float> values(static_cast<std::size_t>(half.elements()));
    to_float(half, values);
    // A row has a scale of its own in 8 bits, the whole weight one in 16.
    const bool byte = dtype == DType::i8;
    const std::size_t row =
        byte ? values.size() / static_cast<std::size_t>(v.shape[0]) : values.size();
    v.type = byte ? 1 : 2;
    v.data.clear();
    std::string scale_bytes;
    for (std::size_t first = 0; first < values.size(); first += row) {
      float largest = 0;
      for (std::size_t i = 0; i < row; ++i) {
        largest = std::max(largest, std::abs(values[first + i]));
      }
      const float scale = (byte ? 127.0f : 1024.0f) / largest;
      put(scale_bytes, scale);
      for (std::size_t i = 0; i < row; ++i) {
        const float value = std::rint(values[first + i] * scale);
        byte ? put(v.data, static_cast<std::int8_t>(value))
             : put(v.data, static_cast<std::int16_t>(value));
      }
    }
    scales.push_back({v.name + "_scale", {}, 0, scale_bytes});
    if (byte) scales.back().shape = {v.shape[0]};
  }
  variables.insert(variables.end(), scales.begin(), scales.end());
  return variables;
}

std::string ctranslate2_file(const std::vector<Ct2Variable>& variables, std::uint32_t version,
                             const std::string& spec) {
  std::string out;
  put(out, version);
  put_counted(out, spec);
  put(out, std::uint32_t{3});
  put(out, static_cast<std::uint32_t>(variables.size()));
  for (const Ct2Variable& v : variables) {
    put_counted(out, v.name);
    put(out, static_cast<std::uint8_t>(v.shape.size()));
    for (const auto dimension : v.shape) put(out, static_cast<std::uint32_t>(dimension));
    put(out, static_cast<std::uint8_t>(v.type));
    put(out, static_cast<std::uint32_t>(v.data.size()));
    out += v.data;
  }
  put(out, std::uint32_t{1});
  put_counted(out, "decoder/projection/weight");
  put_counted(out, "decoder/embeddings/weight");
  return out;
}

std::string hugging_face_name(const std::string& openai_name) {
  static const std::pair<const char*, const char*> renames[]{
      {".blocks.", ".layers."},
      {".cross_attn_ln.", ".encoder_attn_layer_norm."},
      {".cross_attn.", ".encoder_attn."},
      {".attn_ln.", ".self_attn_layer_norm."},
      {".attn.", ".self_attn."},
      {".mlp_ln.", ".final_layer_norm."},
      {".mlp.0.", ".fc1."},
      {".mlp.2.", ".fc2."},
      {".query.", ".q_proj."},
      {".key.", ".k_proj."},
      {".value.", ".v_proj."},
      {".out.", ".out_proj."},
      {".ln_post.", ".layer_norm."},
      {"decoder.ln.", "decoder.layer_norm."},
      {".token_embedding.", ".embed_tokens."},
      {".positional_embedding", ".embed_positions.weight"}};
  std::string name = "model." + openai_name;
  for (const auto& [from, to] : renames) replace(name, from, to);
  return name;
}

Tensors with_hugging_face_names(const Tensors& tensors) {
  Tensors renamed;
  for (const auto& [name, tensor] : tensors) renamed[hugging_face_name(name)] = tensor;
  return renamed;
}

std::string safetensors_file(const Tensors& tensors, DType dtype) {
  const std::string word = dtype == DType::f32 ? "F32" : dtype == DType::f16 ? "F16" : "BF16";
  std::string header = R"({"__metadata__":{"format":"pt"})";
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    std::string shape = engine::shape_text(tensor.shape);
    header += ",\"" + name + "\":{\"dtype\":\"" + word + "\",\"shape\":" + shape +
              ",\"data_offsets\":[" + std::to_string(data.size()) + ",";
    data += encode(tensor.values, dtype);
    header += std::to_string(data.size()) + "]}";
  }
  header += "}";
  std::string out;
  put(out, static_cast<std::uint64_t>(header.size()));
  return out + header + data;
}

std::string ggml_file(const Tensors& tensors, const engine::ModelDims& d) {
  std::string out = "lmgg";
  for (const int number :
       {d.n_vocab, d.n_audio_ctx, d.n_audio_state, d.n_audio_head, d.n_audio_layer, d.n_text_ctx,
        d.n_text_state, d.n_text_head, d.n_text_layer, d.n_mels, 1}) {
    put(out, number);
  }
  put(out, d.n_mels);
  put(out, 3);
  for (int i = 0; i < 3 * d.n_mels; ++i) put(out, 0.5f);
  put(out, 2);
  for (const std::string token : {"a", "\xc3\xa9\n"}) {
    put(out, static_cast<std::int32_t>(token.size()));
    out += token;
  }
  for (const auto& [name, tensor] : tensors) {
    auto shape = tensor.shape;
    const bool column = name == "encoder.conv1.bias" || name == "encoder.conv2.bias";
    if (column) shape.push_back(1);
    const bool half = tensor.shape.size() > 1;
    put(out, static_cast<std::int32_t>(shape.size()));
    put(out, static_cast<std::int32_t>(name.size()));
    put(out, std::int32_t{half});
    for (auto n = shape.rbegin(); n != shape.rend(); ++n) put(out, static_cast<std::int32_t>(*n));
    out += name + encode(tensor.values, half ? DType::f16 : DType::f32);
  }
  return out;
}

}  // namespace toy
