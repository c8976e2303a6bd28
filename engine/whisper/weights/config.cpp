#include "engine/whisper/weights/config.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engine/weights/byte_reader.h"
#include "engine/weights/mapped_file.h"
#include "protocol/json_parse.h"

namespace engine {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_config_bytes = 16u << 20;
constexpr std::size_t max_heads = 4096;
constexpr std::uint64_t max_index = 4096;

// Returns null where there is no such file.
Json read_json(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return nullptr;
  const MappedFile mapped(file);
  if (mapped.bytes().size() > max_config_bytes) damaged(file.string() + ": too large");
  auto config = protocol::json::parse_object(as_text(mapped.bytes()));
  if (!config) damaged(file.string() + ": " + config.error().message);
  return *std::move(config);
}

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

}  // namespace

Config read_config(const std::filesystem::path& folder) {
  Config config;
  for (const char* file : {"generation_config.json", "config.json"}) {
    const Json json = read_json(folder / file);
    if (json.is_null()) continue;
    if (!config.alignment_heads) config.alignment_heads = alignment_heads(json);
    const auto audio = small_number(json, "encoder_attention_heads");
    const auto text = small_number(json, "decoder_attention_heads");
    if (audio && text) config.heads = HeadCounts{*audio, *text};
  }
  return config;
}

}  // namespace engine
