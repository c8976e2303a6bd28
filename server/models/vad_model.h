#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "server/models/registry.h"

// Silero VAD, the one model in the store that finds speech and transcribes nothing.
namespace server {

inline constexpr std::string_view vad_model_name = "silero-vad";
inline constexpr char vad_weights_file[] = "silero_vad_16k_op15.onnx";

const RegisteredModel& vad_model();

// Returns the paths of installed models that help a transcription, by their role in the worker's
// protocol.
std::map<std::string, std::string> auxiliary_models(const std::filesystem::path& store_root);

}  // namespace server
