#pragma once

#include <nlohmann/json.hpp>

#include "server/transcription/progress.h"

namespace server {

// Returns the figures under the names of REST and MCP; null if one is not known. MCP's schemas
// have no null: known_progress_json() leaves such fields out.
nlohmann::ordered_json progress_json(const TranscriptionProgress& progress);
nlohmann::ordered_json known_progress_json(const TranscriptionProgress& progress);

// Returns the properties of their JSON Schema.
nlohmann::ordered_json progress_properties();

}  // namespace server
