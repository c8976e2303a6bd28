#include "engine/whisper/weights/config.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engine/weights/byte_reader.h"
#include "engine/whisper/weights/json_file.h"

namespace engine {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_heads = 4096;
constexpr std::uint64_t max_index = 4096;

bool is_index(const Json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() < max_index;
}

std::optional<int> small_number(const Json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end() || !is_index(*found)) return std::nullopt;
  return found->get<int>();
}

std::optional<std::vector<std::pair<int, int>>> alignment_heads(const Json& config) {
  const auto found = config.find("alignment_heads");
  if (found == config.end() || found->is_null()) return std::nullopt;
  if (!found->is_array() || found->size() > max_heads) {
    damaged("alignment_heads: is no list of pairs");
  }
  std::vector<std::pair<int, int>> heads;
  for (const Json& pair : *found) {
    if (!pair.is_array() || pair.size() != 2 || !is_index(pair[0]) || !is_index(pair[1])) {
      damaged("alignment_heads: is no list of pairs");
    }
    heads.emplace_back(pair[0].get<int>(), pair[1].get<int>());
  }
  return heads;
}

// Hugging Face's quantised models name the library; MLX's have a config of the same key without.
std::string quantised_by(const Json& config) {
  const auto found = config.find("quantization_config");
  if (found == config.end() || !found->is_object()) return {};
  return text_of(*found, "quant_method");
}

// Returns the program that saved the folder.
std::string saved_by(const Json& config) {
  const std::string version = printable(text_of(config, "transformers_version"));
  return version.empty() ? "" : "transformers " + version;
}

std::optional<Quantization> quantization(const Json& config) {
  const auto found = config.find("quantization");
  if (found == config.end() || !found->is_object()) return std::nullopt;
  const auto bits = small_number(*found, "bits");
  const auto group = small_number(*found, "group_size");
  if (!bits || !group || *bits == 0 || *group == 0) {
    damaged("quantization: has no bits and group_size");
  }
  Quantization read{*bits, *group};
  const auto mode = found->find("mode");
  if (mode != found->end() && mode->is_string()) read.mode = mode->get<std::string>().substr(0, 32);
  return read;
}

std::optional<HeadCounts> head_counts(const Json& config, const char* audio, const char* text) {
  const auto audio_heads = small_number(config, audio);
  const auto text_heads = small_number(config, text);
  if (!audio_heads || !text_heads) return std::nullopt;
  return HeadCounts{*audio_heads, *text_heads};
}

}  // namespace

Config read_config(const std::filesystem::path& folder) {
  Config config;
  for (const char* file : {"generation_config.json", "config.json"}) {
    const Json json = read_json_file(folder / file);
    if (json.is_null()) continue;
    if (!config.alignment_heads) config.alignment_heads = alignment_heads(json);
    if (config.quantised_by.empty()) config.quantised_by = quantised_by(json);
    if (const std::string writer = saved_by(json); !writer.empty()) config.writer = writer;
    for (const auto& [audio, text] :
         {std::pair{"encoder_attention_heads", "decoder_attention_heads"},
          {"n_audio_head", "n_text_head"}}) {  // transformers' names, and MLX's
      if (const auto heads = head_counts(json, audio, text)) config.heads = heads;
    }
    if (!config.mlx.quantization) config.mlx.quantization = quantization(json);
    if (!config.mlx.n_audio_ctx) config.mlx.n_audio_ctx = small_number(json, "n_audio_ctx");
  }
  return config;
}

}  // namespace engine
