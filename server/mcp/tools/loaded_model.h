#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/transcription/model_pool.h"

namespace server {

// Returns a loaded model in a few lines: device, reason, memory, and each unused card with its fix.
std::string text_of(const LoadedModel& model);

nlohmann::json json_of(const LoadedModel& model);
nlohmann::json loaded_model_schema();

}  // namespace server
