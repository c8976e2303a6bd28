#pragma once

#include <nlohmann/json.hpp>

#include "server/transcription/progress.h"

namespace server {

// The figures as REST and MCP name them; null where one is not known. MCP's schemas have no null:
// known_progress_json() leaves such fields out.
nlohmann::ordered_json progress_json(const TranscriptionProgress& progress);
nlohmann::ordered_json known_progress_json(const TranscriptionProgress& progress);

// The properties of their JSON Schema.
nlohmann::ordered_json progress_properties();

}  // namespace server
