#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/transcribe_options.h"
#include "server/models/registry.h"

// The models in the store that help a transcription, and transcribe nothing themselves: Silero VAD,
// which finds speech, and the networks that tell speakers apart.
namespace server {

inline constexpr std::string_view vad_model_name = "silero-vad";
inline constexpr char vad_weights_file[] = "silero_vad_16k_op15.onnx";
inline constexpr std::string_view speakers_model_name = "speakers";

const RegisteredModel& vad_model();
const RegisteredModel& speakers_model();
std::span<const RegisteredModel> helper_models();

// Returns nullptr where `name`, a model's own, is of no helper.
const RegisteredModel* find_helper(std::string_view name);

// Returns the names of the helpers without which a transcription with these options fails.
std::vector<std::string_view> needed_helpers(const protocol::TranscribeOptions& options);

// Returns the paths of installed models that help a transcription, by their role in the worker's
// protocol.
std::map<std::string, std::string> auxiliary_models(const std::filesystem::path& store_root);

}  // namespace server
