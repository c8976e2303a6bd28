#include "engine/whisper/text/stated_tokens.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/whisper/text/vocabulary_file.h"
#include "protocol/json_parse.h"

namespace engine {
namespace {

using nlohmann::json;

constexpr std::int64_t max_id = 1 << 30;

// Returns a number, or the only one of a list; nothing for what is no id.
std::optional<int> id_of(const json& value) {
  if (value.is_array()) return value.size() == 1 ? id_of(value.front()) : std::nullopt;
  if (!value.is_number_integer()) return std::nullopt;
  const auto id = value.get<std::int64_t>();
  if (id < 0 || id > max_id) return std::nullopt;
  return static_cast<int>(id);
}

void take(const json& config, const char* key, const char* spelling, StatedTokens& stated) {
  const auto found = config.find(key);
  if (found == config.end()) return;
  if (const auto id = id_of(*found)) stated.ids.emplace(spelling, *id);
}

void take_languages(const json& config, StatedTokens& stated) {
  const auto found = config.find("lang_to_id");
  if (found == config.end() || !found->is_object()) return;
  for (const auto& [spelling, value] : found->items()) {
    const auto id = id_of(value);
    if (!id) continue;
    stated.ids.emplace(spelling, *id);
    stated.languages.push_back(spelling);
  }
}

}  // namespace

Result<StatedTokens> read_stated_tokens(const std::filesystem::path& folder) {
  const auto file = folder / "generation_config.json";
  std::error_code ignored;
  StatedTokens stated;
  if (!std::filesystem::is_regular_file(file, ignored)) return stated;
  const auto text = read_vocabulary_text(file);
  if (!text) return text.error();
  const auto config = protocol::json::parse_object(*text);
  if (!config) {
    return Error{Errc::damaged_model, file.string() + ": " + config.error().message,
                 "Fetch the model again; if that does not help, convert it again."};
  }
  take(*config, "no_timestamps_token_id", "<|notimestamps|>", stated);
  take(*config, "decoder_start_token_id", "<|startoftranscript|>", stated);
  take(*config, "eos_token_id", "<|endoftext|>", stated);
  take(*config, "prev_sot_token_id", "<|startofprev|>", stated);
  if (const auto tasks = config->find("task_to_id"); tasks != config->end() && tasks->is_object()) {
    take(*tasks, "transcribe", "<|transcribe|>", stated);
    take(*tasks, "translate", "<|translate|>", stated);
  }
  take_languages(*config, stated);
  if (const auto many = config->find("is_multilingual");
      many != config->end() && many->is_boolean()) {
    stated.is_multilingual = many->get<bool>();
  }
  return stated;
}

}  // namespace engine
