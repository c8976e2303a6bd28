#include "engine/whisper/weights/lora_config.h"

#include "engine/whisper/weights/json_file.h"

namespace engine {
namespace {

constexpr std::size_t max_base_bytes = 4096;

bool is_true(const nlohmann::json& config, const char* key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_boolean() && found->get<bool>();
}

// Returns whether the value is a list or an object that is not empty, or a text.
bool has_content(const nlohmann::json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end()) return false;
  return found->is_string() || (found->is_structured() && !found->empty());
}

std::string not_merged(const nlohmann::json& config) {
  const std::string type = text_of(config, "peft_type");
  if (!type.empty() && type != "LORA") return "the type " + type.substr(0, 32);
  for (const char* key : {"use_dora", "fan_in_fan_out", "lora_bias"}) {
    if (is_true(config, key)) return key;
  }
  for (const char* key : {"alpha_pattern", "modules_to_save"}) {
    if (has_content(config, key)) return key;
  }
  const std::string bias = text_of(config, "bias");
  return bias.empty() || bias == "none" ? "" : "bias";
}

std::string base_of(const nlohmann::json& config) {
  std::string base = text_of(config, "base_model_name_or_path");
  if (base.size() > max_base_bytes) return {};
  for (char& c : base) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return base;
}

}  // namespace

LoraConfig read_lora_config(const std::filesystem::path& folder) {
  LoraConfig result;
  const auto config = read_json_file(folder / "adapter_config.json");
  if (config.is_null()) return result;
  result.base = base_of(config);
  const std::string version = printable(text_of(config, "peft_version"));
  if (!version.empty()) result.writer = "PEFT " + version;
  result.divides_by_root = is_true(config, "use_rslora");
  result.unknown = not_merged(config);
  const auto alpha = config.find("lora_alpha");
  if (alpha != config.end() && alpha->is_number()) result.alpha = alpha->get<float>();
  return result;
}

}  // namespace engine
