#pragma once

#include <nlohmann/json.hpp>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"
#include "server/submission/source.h"

// The sound of a call comes from exactly one of path, url, upload and audio_base64.
namespace server {

nlohmann::json source_properties();

// If none or several are given, or the bytes cannot be read, check() of `arguments` returns the
// error.
SoundSource read_source(Arguments& arguments, const ToolSettings& settings);

}  // namespace server
