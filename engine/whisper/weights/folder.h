#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

// The one file of a folder to read: a file of weights, or the index of several.
struct ModelChoice {
  std::filesystem::path file;
  std::vector<std::string> passed_over;  // names of other models there, in order
};

// Chooses among what trainers, converters and downloads leave in a folder. A model's own file goes
// before the variants of it (model.fp16.safetensors), these before a conversion (CTranslate2's
// model.bin), which can only have lost precision. What is no model, such as the states of a
// training, is passed over in silence. Throws engine::Exception: not_found or refused_model, with
// what the folder holds instead, and unknown_format where a person has to choose.
ModelChoice model_file_in(const std::filesystem::path& folder);

// Returns whether a file's name is that of a training's state, such as "optimizer.pt".
bool is_of_training(std::string_view file_name);

// Returns whether a file's name says that it is one part of several: "model-00001-of-00002.bin",
// not "…-of-00001.bin".
bool is_shard_name(std::string_view file_name);

}  // namespace engine
