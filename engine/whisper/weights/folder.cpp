#include "engine/whisper/weights/folder.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/error.h"
#include "engine/whisper/weights/other_kinds.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

// The better of two files has the lower number.
enum class Rank {
  whole_safetensors,
  indexed_safetensors,
  whole_torch,
  indexed_torch,
  fp32_variant,  // a variant is one precision of several: its name says which
  variant,
  ctranslate2,
  any_other,
  adapter,
};

struct Candidate {
  Rank rank;
  std::string name;

  auto operator<=>(const Candidate&) const = default;
};

// The states of a training lie beside its model, and end in the same ways.
constexpr std::array training_files{"training_args.bin", "optimizer.", "scheduler.",
                                    "rng_state",         "scaler.",    "random_states"};

bool has_model_ending(std::string_view name) {
  constexpr std::array endings{".bin", ".pt", ".pth", ".ckpt", ".safetensors", ".gguf", ".npz"};
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

// Returns whether the name is `start`, a variant, `end`: "model." "fp16" ".safetensors".
bool is_variant(std::string_view name, std::string_view start, std::string_view end) {
  return name.size() > start.size() + end.size() && name.starts_with(start) && name.ends_with(end);
}

std::optional<Rank> rank_of(const std::string& name) {
  if (name == "model.safetensors") return Rank::whole_safetensors;
  if (name == "model.safetensors.index.json") return Rank::indexed_safetensors;
  if (name == "pytorch_model.bin") return Rank::whole_torch;
  if (name == "pytorch_model.bin.index.json") return Rank::indexed_torch;
  if (name == "model.bin") return Rank::ctranslate2;
  if (is_of_training(name) || is_shard_name(name)) return std::nullopt;
  if (is_variant(name, "model.", ".safetensors") || is_variant(name, "pytorch_model.", ".bin") ||
      is_variant(name, "model.safetensors.index.", ".json") ||
      is_variant(name, "pytorch_model.bin.index.", ".json")) {
    return name.find(".fp32.") == name.npos ? Rank::variant : Rank::fp32_variant;
  }
  if (name.starts_with("adapter_model.") && has_model_ending(name)) return Rank::adapter;
  if (has_model_ending(name)) return Rank::any_other;
  return std::nullopt;
}

// OpenVINO's weights end in .bin, too, and have their network beside them.
bool is_of_openvino(const fs::path& file) {
  return file.extension() == ".bin" && fs::exists(fs::path(file).replace_extension(".xml"));
}

std::vector<Candidate> candidates_in(const fs::path& folder) {
  std::vector<Candidate> candidates;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || is_of_openvino(entry.path())) continue;
    const std::string name = entry.path().filename().string();
    if (const auto rank = rank_of(name)) candidates.push_back({*rank, name});
  }
  std::ranges::sort(candidates);
  return candidates;
}

}  // namespace

bool is_of_training(std::string_view file_name) {
  return std::ranges::any_of(training_files,
                             [&](std::string_view start) { return file_name.starts_with(start); });
}

bool is_shard_name(std::string_view file_name) {
  constexpr std::string_view between = "-of-";
  const std::size_t at = file_name.find(between);
  if (at == file_name.npos || at == 0) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view total = file_name.substr(at + between.size());
  if (total.empty() || !is_digit(total[0]) || !is_digit(file_name[at - 1])) return false;
  // Some write the one part of one: "model-00001-of-00001.safetensors".
  const std::size_t first = std::min(total.find_first_not_of('0'), total.size());
  return total.substr(first, 1) != "1" || (first + 1 < total.size() && is_digit(total[first + 1]));
}

ModelChoice model_file_in(const fs::path& folder) {
  const auto candidates = candidates_in(folder);
  if (candidates.empty()) throw Exception(what_else_is_in(folder));
  const Candidate& best = candidates[0];
  if (best.rank == Rank::any_other && candidates.size() > 1 &&
      candidates[1].rank == Rank::any_other) {
    throw Exception(
        {Errc::unknown_format,
         "[weights] the folder holds several models: " + best.name + ", " + candidates[1].name,
         "Name the file instead of the folder."});
  }
  ModelChoice choice{folder / best.name, {}};
  for (const Candidate& other : candidates) {
    // An index beside the whole file is of that same model.
    const bool same =
        best.rank == Rank::whole_safetensors && other.rank == Rank::indexed_safetensors;
    if (&other != &best && !same) choice.passed_over.push_back(other.name);
  }
  return choice;
}

}  // namespace engine
